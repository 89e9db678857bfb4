import { decimalOf, type Job, parseTimeOfDay, texts, windowProblems } from "@routewright/web";

/** What is to become of many jobs; what is empty stays as it is. */
export interface BulkDraft {
  duration: string;
  arrive_after: string;
  leave_by: string;
  /** Takes both ends of the window away. */
  no_window: boolean;
  spec_type: string;
  priority: "" | "yes" | "no";
  comments: string;
}

export const NO_CHANGE: BulkDraft = {
  duration: "",
  arrive_after: "",
  leave_by: "",
  no_window: false,
  spec_type: "",
  priority: "",
  comments: "",
};

export type BulkValues = Partial<
  Pick<Job, "duration" | "arrive_after" | "leave_by" | "spec_type" | "priority" | "comments">
>;

/** The values that are sent. */
export function bulkValues(draft: BulkDraft): BulkValues {
  const values: BulkValues = {};
  if (draft.duration.trim() !== "") values.duration = decimalOf(draft.duration);
  if (draft.no_window) {
    values.arrive_after = null;
    values.leave_by = null;
  } else {
    if (draft.arrive_after !== "") values.arrive_after = parseTimeOfDay(draft.arrive_after);
    if (draft.leave_by !== "") values.leave_by = parseTimeOfDay(draft.leave_by);
  }
  if (draft.spec_type.trim() !== "") values.spec_type = draft.spec_type.replaceAll(/\s/g, "");
  if (draft.priority !== "") values.priority = draft.priority === "yes";
  if (draft.comments.trim() !== "") values.comments = draft.comments.trim();
  return values;
}

/** What is wrong, by field. */
export function bulkProblems(draft: BulkDraft): Partial<Record<keyof BulkDraft, string>> {
  const problems: Partial<Record<keyof BulkDraft, string>> = {};
  const duration = decimalOf(draft.duration);
  if (draft.duration.trim() !== "" && !(duration > 0)) problems.duration = texts.checks.aboveZero;
  if (draft.no_window) return problems;
  for (const field of ["arrive_after", "leave_by"] as const) {
    const text = draft[field];
    if (text !== "" && parseTimeOfDay(text) === null) problems[field] = texts.checks.time;
  }
  return { ...problems, ...windowProblems(draft.arrive_after, draft.leave_by) };
}
