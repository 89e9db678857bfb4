import { isValidPhoneNumber } from "libphonenumber-js/min";
import { fill, texts } from "../texts/index.ts";
import { minutesOf, parseTimeOfDay } from "../units/time.ts";

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;.]+$/;
/** Characters that names and uids may not hold. */
const SPECIAL = /[<>{}\\^`~|]/;

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Addresses of a comma-separated list; spaces around them are dropped. */
export function addressesOf(text: string): string[] {
  return text
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
}

export function areEmails(text: string): boolean {
  const addresses = text.split(",").map((address) => address.trim());
  return addresses.every(isEmail);
}

export function isPhone(text: string): boolean {
  return text.startsWith("+") && isValidPhoneNumber(text.trim());
}

export function arePhones(text: string): boolean {
  return text.split(",").every((number) => isPhone(number.trim()));
}

export function isLoosePhone(text: string): boolean {
  return /^\+?(?=.*\d)[\d\s-]{3,}$/.test(text.trim());
}

export function hasSpecialCharacters(text: string): boolean {
  return SPECIAL.test(text);
}

export const phoneProblem = fill(texts.checks.phone, { phone: texts.checks.phoneExample });

/** Problems of a pair of times of day, by field; times that cannot be read are left to their own check. */
export function windowProblems(
  arriveAfter: string,
  leaveBy: string,
): { arrive_after?: string; leave_by?: string } {
  const from = parseTimeOfDay(arriveAfter);
  const until = parseTimeOfDay(leaveBy);
  if (from === null || until === null || minutesOf(from) <= minutesOf(until)) return {};
  return {
    arrive_after: fill(texts.checks.beforeLeaveBy, { time: until }),
    leave_by: fill(texts.checks.afterArriveAfter, { time: from }),
  };
}
