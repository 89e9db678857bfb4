import { ApiError } from "../api/error.ts";
import { fill, texts } from "../texts/index.ts";

/** Refusals of what somebody may mean all the same, and what is asked then. */
const QUESTIONS: Record<string, { title: string; question: string; yes: string } | undefined> = {
  DRIVER_BUSY: texts.runs.driverBusy,
  ACTUALS_UNUSUAL: {
    title: texts.bills.unusualTitle,
    question: texts.bills.unusualQuestion,
    yes: texts.bills.unusualYes,
  },
  BILL_CONCERNS: {
    title: texts.bills.askTitle,
    question: `{text}. ${texts.bills.askQuestion}`,
    yes: texts.bills.askYes,
  },
};

/** Codes of the refusals after which somebody is asked. */
export const ASKED_AFTER: readonly string[] = Object.keys(QUESTIONS);

/** What to ask after a refusal; `null` when nobody can mean it. */
export function questionAfter(error: unknown): { title: string; text: string; yes: string } | null {
  if (!(error instanceof ApiError)) return null;
  const asked = QUESTIONS[error.code ?? ""];
  if (asked === undefined) return null;
  return { title: asked.title, text: fill(asked.question, { text: error.message }), yes: asked.yes };
}
