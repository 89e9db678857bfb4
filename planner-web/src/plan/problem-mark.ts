import type { Problem } from "./problems.ts";

/** How a job or run is marked where there is no room for words. */
export type Mark = "error" | "warning";

/** The stronger of several; `null` without problems. */
export function markOf(problems: readonly Problem[]): Mark | null {
  if (problems.some(({ severity }) => severity === "error")) return "error";
  return problems.length > 0 ? "warning" : null;
}

/** A sign beside the colour, so that nobody has to tell red from green. */
export const MARK_SIGNS: Readonly<Record<Mark, string>> = { error: "!", warning: "?" };

/** Stripes over the colour of a run, for stops drawn in CSS. */
export const MARK_STRIPES =
  "repeating-linear-gradient(135deg, rgb(0 0 0 / 45%) 0 3px, rgb(255 255 255 / 55%) 3px 6px)";
