import { fill, type Job, messageOfError, request, type Run, type Scenario, texts } from "@routewright/web";
import { withLinked } from "../jobs/linked.ts";
import { keys } from "../plan/keys.ts";
import { withAnswer } from "../plan/plan.ts";
import { cachedPlan, cachePlan, reloadPlan } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

interface PoolAnswer {
  job_ids: number[];
  updated_runs: Run[];
}

/**
 * Moves a job, with what is linked to it, to the plan of another day, where it is unserved; answers whether it has left
 * its own. The way leads through the pool: what cannot be taken out of it stays there, and is told.
 */
export async function moveToDay(job: Job, to: Scenario, reasonId: number | null): Promise<boolean> {
  const from = job.scenario_id ?? 0;
  const left: PoolAnswer[] = [];
  await withLinked(
    async (linked) => {
      const pooled = await request<PoolAnswer>("/jobs/move_to_pool", {
        method: "PUT",
        body: { job_ids: [job.id], scenario_reason_id: reasonId, ...linked },
        quiet: true,
      });
      left.push(pooled);
      await request("/jobs/move_jobs_from_pool", {
        method: "PUT",
        body: pooled.job_ids.map((id) => ({ id, scenario_id: to.id })),
        quiet: true,
      }).catch((error: unknown) => {
        throw new Error(fill(texts.live.staysInPool, { uid: job.uid, reason: messageOfError(error) }));
      });
      return pooled;
    },
    {
      loading: fill(texts.live.movingToDay, { uid: job.uid }),
      success: fill(texts.live.movedToDay, { uid: job.uid, name: to.name }),
      failure: (error) => messageOfError(error),
    },
  );
  for (const pooled of left) leave(from, pooled);
  await Promise.all([
    reloadPlan(from),
    queryClient.invalidateQueries({ queryKey: keys.scenarios }),
    queryClient.invalidateQueries({ queryKey: keys.plan(to.id) }),
  ]);
  return left.length > 0;
}

/** Takes the jobs off the plan on the screen. */
function leave(scenarioId: number, { job_ids: ids, updated_runs: runs }: PoolAnswer): void {
  const plan = withAnswer(cachedPlan(scenarioId), runs);
  cachePlan(scenarioId, { ...plan, jobs: plan.jobs.filter(({ id }) => !ids.includes(id)) });
}
