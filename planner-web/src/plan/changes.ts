import type { Job, Run } from "@routewright/web";
import { byUid, type Plan } from "./plan.ts";

/** One step of a plan's version. */
export interface PlanChange {
  version: number;
  at: string;
  user_id: number | null;
  actor: string;
  action: string | null;
}

/** What changed in a plan since a version, as `GET /scenarios/{id}/changes` answers it. */
export interface PlanChanges {
  version: number;
  /** Too much, or too long ago: the plan is to be read anew. */
  reload: boolean;
  changes: readonly PlanChange[];
  jobs: readonly Job[];
  runs: readonly Run[];
  removed_job_ids: readonly number[];
  removed_run_ids: readonly number[];
  items: boolean;
  scenario: boolean;
}

/** The plan with what changed: whole rows in the place of the old ones, in the order of the lists. */
export function withChanges(plan: Plan, changes: PlanChanges): Plan {
  return {
    jobs: replaced(plan.jobs, changes.jobs, changes.removed_job_ids),
    runs: replaced(plan.runs, changes.runs, changes.removed_run_ids),
  };
}

function replaced<T extends { id: number; uid: string }>(
  rows: readonly T[],
  changed: readonly T[],
  removed: readonly number[],
): T[] {
  const byId = new Map(changed.map((row) => [row.id, row]));
  const gone = new Set(removed);
  const renamed = rows.some(({ id, uid }) => (byId.get(id)?.uid ?? uid) !== uid);
  const kept = rows.flatMap((row) => {
    if (gone.has(row.id)) return [];
    const change = byId.get(row.id);
    byId.delete(row.id);
    return [change ?? row];
  });
  if (!renamed && byId.size === 0) return kept;
  return [...kept, ...byId.values()].sort(byUid);
}
