import {
  areEmails,
  hasSpecialCharacters,
  isEmail,
  isLoosePhone,
  isPhone,
  parseSize,
  phoneProblem,
  texts,
  fill,
} from "@routewright/web";
import { isAmbiguous } from "./typed-number.ts";

type Values = Record<string, unknown>;
/** Text of what is wrong with a value, or nothing. */
export type Check = (value: unknown, values: Values) => string | undefined;

/** A value is needed; with its own text where the field has one. */
export function needed(problem = texts.checks.emptyField): Check & { isRequired: true } {
  const check: Check = (value) => (isBlank(value) ? problem : undefined);
  return Object.assign(check, { isRequired: true as const });
}

/** Refuses text of blanks only; nothing at all is allowed. */
export const notBlank: Check = (value) =>
  typeof value === "string" && value !== "" && value.trim() === "" ? texts.checks.emptyField : undefined;

export const plainCharacters: Check = (value) =>
  hasSpecialCharacters(text(value)) ? texts.checks.specialField : undefined;

export const emailAddress: Check = (value) =>
  isBlank(value) || isEmail(text(value).trim()) ? undefined : texts.checks.email;

/** Comma-separated e-mail addresses, each valid. */
export const emailAddresses: Check = (value) =>
  isBlank(value) || areEmails(text(value)) ? undefined : texts.checks.email;

export const internationalPhone: Check = (value) =>
  isBlank(value) || isPhone(text(value)) ? undefined : phoneProblem;

/** Digits with an optional plus, spaces and dashes. */
export const loosePhone: Check = (value) =>
  isBlank(value) || isLoosePhone(text(value)) ? undefined : texts.checks.loosePhone;

export const aNumber: Check = (value) => {
  if (isBlank(value) || Number.isFinite(Number(value))) return undefined;
  return isAmbiguous(text(value)) ? texts.checks.ambiguousNumber : texts.checks.numeric;
};

/** Not negative and not above 1e9. */
export const amount: Check = (value, values) => {
  const problem = aNumber(value, values);
  if (problem !== undefined || isBlank(value)) return problem;
  if (Number(value) < 0) return texts.checks.negative;
  return Number(value) > 1e9 ? texts.checks.tooLarge : undefined;
};

export const aboveZero: Check = (value, values) =>
  amount(value, values) ?? (!isBlank(value) && Number(value) <= 0 ? texts.checks.aboveZero : undefined);

export const wholeNumber: Check = (value, values) =>
  aNumber(value, values) ??
  (isBlank(value) || Number.isInteger(Number(value)) ? undefined : texts.admin.shared.whole);

export function between(least: number, most: number): Check {
  return (value, values) =>
    aNumber(value, values) ??
    (!isBlank(value) && (Number(value) < least || Number(value) > most)
      ? fill(texts.admin.shared.between, { least, most })
      : undefined);
}

/** Size grammar of jobs, capacities of drivers and vehicles. */
export const size: Check = (value) =>
  isBlank(value) || parseSize(text(value)) !== null ? undefined : texts.checks.size;

/** Window of a job or client: `arrive_after` not later than `leave_by`. */
export const beforeLeaveBy: Check = (value, { leave_by: leaveBy }) =>
  !isBlank(value) && !isBlank(leaveBy) && text(value) > text(leaveBy)
    ? texts.checks.beforeLeaveBy.replace("{time}", text(leaveBy))
    : undefined;

export const afterArriveAfter: Check = (value, { arrive_after: arriveAfter }) =>
  !isBlank(value) && !isBlank(arriveAfter) && text(value) < text(arriveAfter)
    ? texts.checks.afterArriveAfter.replace("{time}", text(arriveAfter))
    : undefined;

/** A break start between shift start and shift end, `HH:mm` each. */
export function withinShift(problem: string): Check {
  return (value, { shift_start: start, shift_end: end }) => {
    if (isBlank(value) || isBlank(start) || isBlank(end)) return undefined;
    const time = text(value).slice(0, 5);
    return time < text(start).slice(0, 5) || time > text(end).slice(0, 5) ? problem : undefined;
  };
}

/** This moment is not later than the one in the other field. */
export function momentBefore(other: string, problem: string): Check {
  return (value, values) => (isLater(value, values[other]) ? problem : undefined);
}

/** This moment is not earlier than the one in the other field. */
export function momentAfter(other: string, problem: string): Check {
  return (value, values) => (isLater(values[other], value) ? problem : undefined);
}

export const startOdometer: Check = (value, values) =>
  amount(value, values) ?? odometers(value, values["end_odometer"]);

export const endOdometer: Check = (value, values) =>
  amount(value, values) ?? odometers(values["start_odometer"], value);

function odometers(start: unknown, end: unknown): string | undefined {
  if (isBlank(start) || isBlank(end)) return undefined;
  return Number(start) > Number(end) ? texts.runs.checks.odometer : undefined;
}

function isLater(one: unknown, other: unknown): boolean {
  return !isBlank(one) && !isBlank(other) && Date.parse(text(one)) > Date.parse(text(other));
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "");
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
