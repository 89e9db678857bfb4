import type { Problem, Problems } from "../plan/problems.ts";
import type { DispatchDraft } from "./dispatch-draft.ts";

/** A run that should not leave as it is. */
export interface Blocked {
  runId: number;
  uid: string;
  problems: readonly Problem[];
}

/** Runs with rules broken. Who gets no sheet is told by the row itself; a missing address can still be driven to. */
export function blockedOf(drafts: readonly DispatchDraft[], problems: Problems): Blocked[] {
  return drafts.flatMap(({ runId, uid }) => {
    const broken = problems.ofRun(runId).filter(({ severity }) => severity === "error");
    return broken.length === 0 ? [] : [{ runId, uid, problems: broken }];
  });
}
