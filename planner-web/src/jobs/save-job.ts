import { ApiError, type Job, type JobInput, type Page, request } from "@routewright/web";
import { keys } from "../plan/keys.ts";
import { mergeById } from "../plan/plan.ts";
import { jobs } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

/** A job of the same scenario with exactly this uid. */
export async function jobWithUid(uid: string, scenarioId: number | null): Promise<Job | null> {
  const answer =
    scenarioId === null
      ? await request<Page<Job>>("/jobs/pool", { query: { uid_exact: uid, per_page: 1 } })
      : await request<Page<Job>>("/jobs", {
          query: { scenario_ids: [scenarioId], uid_exact: uid, per_page: 1 },
        });
  return answer.data[0] ?? null;
}

export async function createJob(input: JobInput, scenarioId: number | null): Promise<Job> {
  const job = await jobs.create(scenarioId === null ? input : { ...input, scenario_id: scenarioId });
  await keep(job);
  return job;
}

export async function updateJob(id: number, changes: JobInput): Promise<Job> {
  const job = await jobs.change(id, changes);
  await keep(job);
  return job;
}

export async function deleteJob(job: Job): Promise<void> {
  await jobs.remove(job.id);
  if (job.scenario_id !== null) {
    queryClient.setQueryData<Job[]>(keys.jobs(job.scenario_id), (list) =>
      list?.filter(({ id }) => id !== job.id),
    );
    if (job.run_id !== null) await queryClient.invalidateQueries({ queryKey: keys.plan(job.scenario_id) });
  }
  await queryClient.invalidateQueries({ queryKey: keys.jobPages });
}

/** Puts a saved job into the loaded lists; a new one at the top. */
async function keep(job: Job): Promise<void> {
  if (job.scenario_id !== null) {
    queryClient.setQueryData<Job[]>(keys.jobs(job.scenario_id), (list) => mergeById(list ?? [], [job]));
    if (job.run_id !== null) await queryClient.invalidateQueries({ queryKey: keys.runs(job.scenario_id) });
    await queryClient.invalidateQueries({ queryKey: keys.scenario(job.scenario_id) });
  }
  await queryClient.invalidateQueries({ queryKey: keys.jobPages });
  await queryClient.invalidateQueries({ queryKey: keys.job(job.id) });
}

/** Messages by field of a refusal. */
export function fieldProblems(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fields : {};
}
