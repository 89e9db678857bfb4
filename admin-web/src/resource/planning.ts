import { texts } from "@routewright/web";
import { sentenceCase } from "./labels.ts";

/** How values read that have no name of their own in a select. */
const NAMES: Record<string, string | undefined> = texts.admin.choices;

/** Choices of a select: the wire value and how it reads. */
export function choices(
  values: readonly string[],
  names: Record<string, string> = {},
): { id: string; name: string }[] {
  return values.map((value) => ({ id: value, name: names[value] ?? choiceName(value) }));
}

/** How a key reads. */
export function choiceName(value: string): string {
  return NAMES[value] ?? sentenceCase(value);
}

export const ROUTE_END_CHOICES = choices(["start", "end_location", "anywhere"], {
  start: texts.admin.shared.endsAtStart,
  end_location: texts.admin.shared.endsAtEndLocation,
  anywhere: texts.admin.shared.endsAnywhere,
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

/** Whether a job has a run. */
export const SERVED = [
  { id: "true", name: texts.admin.jobs.served },
  { id: "false", name: texts.admin.jobs.unserved },
];

export const STAGE_CHOICES = choices(["planning", "routing", "tracking"]);

export const COPY_CHOICES = choices(["jobs", "units", "territory_groups", "returns", "runs", "proofs"]);

export const METHOD_NAMES = {
  email: texts.admin.shared.email,
  sms: texts.admin.shared.sms,
  qr_code: texts.admin.shared.qrCode,
};
