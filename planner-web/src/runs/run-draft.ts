import {
  areEmails,
  arePhones,
  decimalOf,
  fromKm,
  isPlaced,
  minutesOf,
  parseSize,
  parseTimeOfDay,
  phoneProblem,
  type Place,
  type RouteEnd,
  type Run,
  type RunMethod,
  type RunPatch,
  session,
  texts,
  toKm,
} from "@routewright/web";
import { textOrNull } from "../fields/text.ts";

/** Everything of a run that can be edited, as the form holds it: numbers and times of day as texts. */
export interface RunDraft {
  driver_user_id: number | null;
  vehicle_id: number | null;
  billing_rate_id: number | null;
  validated_by_id: number | null;
  start_location: Place | null;
  end_location: Place | null;
  route_end: RouteEnd;
  preferred_method: RunMethod;
  route_colour: string;
  capacity: string;
  alternatives_group: string;
  email: string;
  phone_number: string;
  spec_type: string;
  shift_start: string;
  shift_end: string;
  lunch_time: string;
  lunch_latest_start: string;
  lunch_duration: string;
  speed_multiplier: string;
  device_id: string;
  planned_start_time: string | null;
  planned_end_time: string | null;
  actual_start_time: string | null;
  actual_end_time: string | null;
  billing_start_time: string | null;
  /** In the organisation's distance unit. */
  start_odometer: string;
  end_odometer: string;
  additional_billing_kms: string;
  min_billing_hours: string;
  /** Stored by a call of its own. */
  territory_ids: number[];
}

const unit = (): "km" | "mi" => session().user?.organisation.settings.distance_unit ?? "km";

function shownKm(km: number | null): string {
  return km === null ? "" : fromKm(km, unit()).toFixed(2);
}

export function runDraftOf(run: Run): RunDraft {
  const text = (value: string | null): string => value ?? "";
  return {
    driver_user_id: run.driver_user_id,
    vehicle_id: run.vehicle_id,
    billing_rate_id: run.billing_rate_id,
    validated_by_id: run.validated_by_id,
    start_location: run.start_location,
    end_location: run.end_location,
    route_end: run.route_end,
    preferred_method: run.preferred_method,
    route_colour: run.route_colour,
    capacity: run.capacity,
    alternatives_group: text(run.alternatives_group),
    email: text(run.email),
    phone_number: text(run.phone_number),
    spec_type: text(run.spec_type),
    shift_start: run.shift_start.slice(0, 5),
    shift_end: run.shift_end.slice(0, 5),
    lunch_time: text(run.lunch_time).slice(0, 5),
    lunch_latest_start: text(run.lunch_latest_start).slice(0, 5),
    lunch_duration: String(run.lunch_duration),
    speed_multiplier: String(run.speed_multiplier),
    device_id: text(run.device_id),
    planned_start_time: run.planned_start_time,
    planned_end_time: run.planned_end_time,
    actual_start_time: run.actual_start_time,
    actual_end_time: run.actual_end_time,
    billing_start_time: run.billing_start_time,
    start_odometer: shownKm(run.start_odometer),
    end_odometer: shownKm(run.end_odometer),
    additional_billing_kms: shownKm(run.additional_billing_kms),
    min_billing_hours: String(run.min_billing_hours),
    territory_ids: run.territory_ids,
  };
}

/** What is wrong with a draft, by field. */
export function runProblems(draft: RunDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  const { checks } = texts.runs;
  if (isAfter(draft.planned_start_time, draft.planned_end_time)) {
    problems["planned_start_time"] = checks.plannedStart;
    problems["planned_end_time"] = checks.plannedEnd;
  }
  if (isAfter(draft.actual_start_time, draft.actual_end_time)) {
    problems["actual_start_time"] = checks.startBeforeEnd;
    problems["actual_end_time"] = checks.endAfterStart;
  }
  for (const name of [
    "start_odometer",
    "end_odometer",
    "additional_billing_kms",
    "min_billing_hours",
  ] as const) {
    if (draft[name].trim() !== "" && !Number.isFinite(decimalOf(draft[name])))
      problems[name] = texts.checks.numeric;
  }
  if (
    draft.start_odometer !== "" &&
    draft.end_odometer !== "" &&
    decimalOf(draft.start_odometer) > decimalOf(draft.end_odometer)
  ) {
    problems["start_odometer"] = checks.odometer;
    problems["end_odometer"] = checks.odometer;
  }
  for (const name of ["start_location", "end_location"] as const) {
    const place = draft[name];
    if (place !== null && !isPlaced(place)) problems[name] = texts.jobs.locationUnplaced;
  }
  Object.assign(problems, breakProblems(draft), contactProblems(draft));
  return problems;
}

function isAfter(start: string | null, end: string | null): boolean {
  return start !== null && end !== null && Date.parse(start) >= Date.parse(end);
}

function breakProblems(draft: RunDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  const times = { shift_start: "", shift_end: "", lunch_time: "", lunch_latest_start: "" };
  for (const name of Object.keys(times) as (keyof typeof times)[]) {
    const time = parseTimeOfDay(draft[name]);
    const needed = name === "shift_start" || name === "shift_end";
    if (time === null && (needed || draft[name].trim() !== "")) problems[name] = texts.checks.time;
    else times[name] = time ?? "";
  }
  if (problems["shift_start"] !== undefined || problems["shift_end"] !== undefined) return problems;
  const within = (time: string): boolean =>
    time === "" ||
    (minutesOf(time) >= minutesOf(times.shift_start) && minutesOf(time) <= minutesOf(times.shift_end)) ||
    // A shift over midnight.
    (minutesOf(times.shift_end) < minutesOf(times.shift_start) &&
      (minutesOf(time) >= minutesOf(times.shift_start) || minutesOf(time) <= minutesOf(times.shift_end)));
  if (!within(times.lunch_time)) problems["lunch_time"] = texts.runs.checks.breakEarliest;
  if (!within(times.lunch_latest_start)) problems["lunch_latest_start"] = texts.runs.checks.breakLatest;
  return problems;
}

function contactProblems(draft: RunDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.email.trim() !== "" && !areEmails(draft.email)) problems["email"] = texts.checks.email;
  if (draft.phone_number.trim() !== "" && !arePhones(draft.phone_number))
    problems["phone_number"] = phoneProblem;
  if (draft.capacity.trim() !== "" && parseSize(draft.capacity) === null)
    problems["capacity"] = texts.checks.size;
  return problems;
}

/** The changed fields in their wire form. */
export function patchOf(before: RunDraft, after: RunDraft): RunPatch {
  const old = wireOf(before) as Record<string, unknown>;
  const changed = Object.entries(wireOf(after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}

function wireOf(draft: RunDraft): RunPatch {
  const km = (value: string): number | null => (value.trim() === "" ? null : toKm(decimalOf(value), unit()));
  return {
    driver_user_id: draft.driver_user_id,
    vehicle_id: draft.vehicle_id,
    billing_rate_id: draft.billing_rate_id,
    validated_by_id: draft.validated_by_id,
    start_location: draft.start_location,
    end_location: draft.route_end === "end_location" ? draft.end_location : null,
    route_end: draft.route_end,
    preferred_method: draft.preferred_method,
    route_colour: draft.route_colour,
    capacity: textOrNull(draft.capacity) ?? "0",
    alternatives_group: textOrNull(draft.alternatives_group),
    email: textOrNull(draft.email),
    phone_number: textOrNull(draft.phone_number),
    spec_type: textOrNull(draft.spec_type.replaceAll(" ", "")),
    shift_start: parseTimeOfDay(draft.shift_start) ?? draft.shift_start,
    shift_end: parseTimeOfDay(draft.shift_end) ?? draft.shift_end,
    lunch_time: parseTimeOfDay(draft.lunch_time),
    lunch_latest_start: parseTimeOfDay(draft.lunch_latest_start),
    lunch_duration: decimalOf(draft.lunch_duration || "0"),
    speed_multiplier: decimalOf(draft.speed_multiplier || "1"),
    device_id: textOrNull(draft.device_id),
    planned_start_time: draft.planned_start_time,
    planned_end_time: draft.planned_end_time,
    actual_start_time: draft.actual_start_time,
    actual_end_time: draft.actual_end_time,
    billing_start_time: draft.billing_start_time,
    start_odometer: km(draft.start_odometer),
    end_odometer: km(draft.end_odometer),
    additional_billing_kms: km(draft.additional_billing_kms) ?? 0,
    min_billing_hours: decimalOf(draft.min_billing_hours || "0"),
  };
}
