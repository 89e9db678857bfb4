import { isEmail, isPhone, phoneProblem, texts } from "@routewright/web";

/** What a list of recipients is made of. */
export interface RecipientKind {
  isValid: (entry: string) => boolean;
  problem: string;
  inputMode: "email" | "tel";
}

export const EMAILS: RecipientKind = {
  isValid: isEmail,
  problem: texts.checks.emailShort,
  inputMode: "email",
};

export const PHONES: RecipientKind = {
  isValid: isPhone,
  problem: phoneProblem,
  inputMode: "tel",
};

/** The entries of a comma-separated list. */
export function entriesOf(list: string): string[] {
  return list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

interface Taken {
  /** The list with what was added. */
  list: string;
  /** What stays in the field: all of it when a part is not valid. */
  rest: string;
}

/** Adds what was typed to a list; commas and spaces separate entries, except the spaces inside one number. */
export function takeEntries(list: string, typed: string, { isValid }: RecipientKind): Taken {
  const text = typed.replace(/^[\s,]+|[\s,]+$/g, "");
  const entries = isValid(text) ? [text] : text.split(/[\s,]+/).filter((entry) => entry !== "");
  if (!entries.every(isValid)) return { list, rest: text };
  return { list: [...new Set([...entriesOf(list), ...entries])].join(", "), rest: "" };
}
