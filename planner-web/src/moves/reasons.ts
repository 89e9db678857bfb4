import { mayCall, requestAll, type Run, type ScenarioReason, session } from "@routewright/web";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import type { Plan } from "../plan/plan.ts";
import { queryClient } from "../ui/query-client.ts";

const PATH = "/scenario_reasons";

/** Runs that were sent to their drivers already and that these jobs leave, or that they come to. */
export function dispatchedRuns(plan: Plan, jobIds: readonly number[], to: number | null = null): Run[] {
  const ids = new Set(plan.jobs.filter(({ id }) => jobIds.includes(id)).map((job) => job.run_id));
  if (to !== null) ids.add(to);
  return plan.runs.filter((run) => run.dispatched && ids.has(run.id));
}

/**
 * Asks why runs are changed that their drivers know already, where the organisation keeps reasons, and then acts.
 * Nobody has to choose one.
 */
export async function withReason(
  runs: readonly Run[],
  act: (reasonId: number | null) => void,
): Promise<void> {
  if (runs.length === 0 || !mayCall("GET", PATH, session().user)) return act(null);
  const reasons = await queryClient
    .query({
      queryKey: keys.scenarioReasons,
      queryFn: () => requestAll<ScenarioReason>(PATH),
      staleTime: "static",
    })
    .catch(() => []);
  if (reasons.length === 0) return act(null);
  openDialog({ kind: "reason", runs: runs.map(({ uid }) => uid), act });
}
