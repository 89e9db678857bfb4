import { fill, type Job, request, type Run, texts } from "@routewright/web";
import { dispatchedRuns, withReason } from "../moves/reasons.ts";
import { keys } from "../plan/keys.ts";
import { openDialog } from "../plan/dialogs.ts";
import { withAnswer } from "../plan/plan.ts";
import { cachedPlan, cachePlan } from "../plan/queries.ts";
import { selectJobs } from "../plan/selection.ts";
import { failureText } from "../ui/failure.ts";
import { queryClient } from "../ui/query-client.ts";
import { withLinked } from "./linked.ts";

interface PoolAnswer {
  job_ids: number[];
  updated_runs: Run[];
}

/** Sends jobs of a scenario to the pool, and then offers to tag them. */
export async function moveToPool(jobIds: number[], scenarioId: number): Promise<void> {
  await withReason(
    dispatchedRuns(cachedPlan(scenarioId), jobIds),
    (reasonId) => void sendToPool(jobIds, scenarioId, reasonId),
  );
}

async function sendToPool(jobIds: number[], scenarioId: number, reasonId: number | null): Promise<void> {
  const answer = await withLinked(
    (linked) =>
      request<PoolAnswer>("/jobs/move_to_pool", {
        method: "PUT",
        body: { job_ids: jobIds, scenario_reason_id: reasonId, ...linked },
        quiet: true,
      }),
    {
      loading: texts.jobs.sendingToPool,
      success: texts.jobs.sentToPool,
      failure: failureText(texts.jobs.failedToMove),
    },
  );
  if (answer === null) return;
  const moved = new Set(answer.job_ids);
  const plan = withAnswer(cachedPlan(scenarioId), answer.updated_runs);
  cachePlan(scenarioId, { ...plan, jobs: plan.jobs.filter(({ id }) => !moved.has(id)) });
  selectJobs([]);
  await refreshLists(scenarioId);
  openDialog({ kind: "tags", jobIds: answer.job_ids, fromPool: true });
}

/** Takes a job of the pool into a scenario. */
export async function moveFromPool(job: Job, scenarioId: number): Promise<void> {
  const answer = await withLinked(
    (linked) =>
      request<Job>("/jobs/pool/to_scenario", {
        method: "PUT",
        body: { job_id: job.id, scenario_id: scenarioId, ...linked },
        quiet: true,
      }),
    {
      loading: fill(texts.jobs.movingToScenario, { uid: job.uid }),
      success: texts.jobs.moved,
      failure: texts.jobs.failedToMove,
    },
  );
  if (answer !== null) await refreshLists(scenarioId);
}

/** Takes several jobs of the pool into a scenario, all or none; answers whether they are there. */
export async function moveManyFromPool(jobIds: readonly number[], scenarioId: number): Promise<boolean> {
  const answer = await withLinked(
    (linked) =>
      request<Job[]>("/jobs/move_jobs_from_pool", {
        method: "PUT",
        body: jobIds.map((id) => ({ id, scenario_id: scenarioId, ...linked })),
        quiet: true,
      }),
    {
      success: (moved) => fill(texts.runs.movedMany, { n: moved.length }),
      failure: texts.runs.moveManyFailed,
    },
  );
  if (answer === null) return false;
  await refreshLists(scenarioId);
  return true;
}

async function refreshLists(scenarioId: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.jobPages });
  await queryClient.invalidateQueries({ queryKey: keys.jobs(scenarioId) });
  await queryClient.invalidateQueries({ queryKey: keys.scenario(scenarioId) });
}
