import { fill, type Job, messageOfError, request, type Run, type Scenario, texts } from "@routewright/web";
import { withLinked } from "../jobs/linked.ts";
import { keys } from "../plan/keys.ts";
import { withAnswer } from "../plan/plan.ts";
import { cachedPlan, cachePlan, reloadPlan } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

interface Moved {
  job_ids: number[];
  updated_runs: Run[];
}

/**
 * Moves a job, with what is linked to it, to the plan of another day, where it is unserved; answers whether it has left
 * its own. It leaves the one and comes to the other in one go, or stays.
 */
export async function moveToDay(job: Job, to: Scenario, reasonId: number | null): Promise<boolean> {
  const from = job.scenario_id ?? 0;
  const moved = await withLinked(
    (linked) =>
      request<Moved>("/jobs/move_to_day", {
        method: "PUT",
        body: { job_ids: [job.id], scenario_id: to.id, scenario_reason_id: reasonId, ...linked },
        quiet: true,
      }),
    {
      loading: fill(texts.live.movingToDay, { uid: job.uid }),
      success: fill(texts.live.movedToDay, { uid: job.uid, name: to.name }),
      failure: (error) => messageOfError(error),
    },
  );
  if (moved !== null) leave(from, moved);
  await Promise.all([
    reloadPlan(from),
    queryClient.invalidateQueries({ queryKey: keys.scenarios }),
    queryClient.invalidateQueries({ queryKey: keys.plan(to.id) }),
  ]);
  return moved !== null;
}

/** Takes the jobs off the plan on the screen. */
function leave(scenarioId: number, { job_ids: ids, updated_runs: runs }: Moved): void {
  const plan = withAnswer(cachedPlan(scenarioId), runs);
  cachePlan(scenarioId, { ...plan, jobs: plan.jobs.filter(({ id }) => !ids.includes(id)) });
}
