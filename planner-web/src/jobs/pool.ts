import {
  fill,
  type Job,
  request,
  type Run,
  texts,
  toastError,
  toastSuccess,
  withToast,
} from "@routewright/web";
import { dispatchedRuns, withReason } from "../moves/reasons.ts";
import { keys } from "../plan/keys.ts";
import { openDialog } from "../plan/dialogs.ts";
import { withAnswer } from "../plan/plan.ts";
import { cachedPlan, cachePlan } from "../plan/queries.ts";
import { selectJobs } from "../plan/selection.ts";
import { failureText } from "../ui/failure.ts";
import { queryClient } from "../ui/query-client.ts";

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
  try {
    const answer = await withToast(
      request<PoolAnswer>("/jobs/move_to_pool", {
        method: "PUT",
        body: { job_ids: jobIds, scenario_reason_id: reasonId },
        quiet: true,
      }),
      {
        loading: texts.jobs.sendingToPool,
        success: texts.jobs.sentToPool,
        failure: failureText(texts.jobs.failedToMove),
      },
    );
    const moved = new Set(jobIds);
    const plan = withAnswer(cachedPlan(scenarioId), answer.updated_runs);
    cachePlan(scenarioId, { ...plan, jobs: plan.jobs.filter(({ id }) => !moved.has(id)) });
    selectJobs([]);
    await queryClient.invalidateQueries({ queryKey: keys.jobPages });
    await queryClient.invalidateQueries({ queryKey: keys.scenario(scenarioId) });
    openDialog({ kind: "tags", jobIds, fromPool: true });
  } catch {
    // Told by the toast.
  }
}

/** Takes a job of the pool into a scenario. */
export async function moveFromPool(job: Job, scenarioId: number): Promise<void> {
  try {
    await withToast(
      request<Job>("/jobs/pool/to_scenario", {
        method: "PUT",
        body: { job_id: job.id, scenario_id: scenarioId },
        quiet: true,
      }),
      {
        loading: fill(texts.jobs.movingToScenario, { uid: job.uid }),
        success: texts.jobs.moved,
        failure: texts.jobs.failedToMove,
      },
    );
    await refreshLists(scenarioId);
  } catch {
    // Told by the toast.
  }
}

/** Takes several jobs of the pool into a scenario, all or none; answers whether they are there. */
export async function moveManyFromPool(jobIds: readonly number[], scenarioId: number): Promise<boolean> {
  try {
    const moved = await request<Job[]>("/jobs/move_jobs_from_pool", {
      method: "PUT",
      body: jobIds.map((id) => ({ id, scenario_id: scenarioId })),
      quiet: true,
    });
    toastSuccess(fill(texts.runs.movedMany, { n: moved.length }));
    await refreshLists(scenarioId);
    return true;
  } catch {
    toastError(texts.runs.moveManyFailed);
    return false;
  }
}

async function refreshLists(scenarioId: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.jobPages });
  await queryClient.invalidateQueries({ queryKey: keys.jobs(scenarioId) });
  await queryClient.invalidateQueries({ queryKey: keys.scenario(scenarioId) });
}
