import { sentenceCase } from "./labels.ts";

/** Choices of a select: the wire value and how it reads. */
export function choices(
  values: readonly string[],
  names: Record<string, string> = {},
): { id: string; name: string }[] {
  return values.map((value) => ({ id: value, name: names[value] ?? sentenceCase(value) }));
}

export const ROUTE_END_CHOICES = choices(["start", "end_location", "anywhere"], {
  start: "Back at the start",
  end_location: "End location",
  anywhere: "At the last stop",
});

export const DAY_CHOICES = choices([
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
]);

export const STAGE_CHOICES = choices(["planning", "routing", "tracking"]);

export const COPY_CHOICES = choices(["jobs", "units", "territory_groups", "returns", "runs", "proofs"]);

export const METHOD_NAMES = { email: "Email", sms: "SMS", qr_code: "QR code" };
