import { type Job, type JobDetail, request, texts, toastSuccess } from "@routewright/web";
import { keys } from "../plan/keys.ts";
import { mergeById } from "../plan/plan.ts";
import { selectJob } from "../plan/selection.ts";
import { queryClient } from "../ui/query-client.ts";

/** Copies a job with the chosen of its units; the copy is unserved. */
export async function duplicateJob(job: JobDetail, unitIds: readonly number[]): Promise<void> {
  const copy = await request<Job>("/duplicate_job", {
    method: "POST",
    body: { job_id: job.id, unit_ids: unitIds },
  });
  if (copy.scenario_id !== null) {
    queryClient.setQueryData<Job[]>(keys.jobs(copy.scenario_id), (list) => mergeById(list ?? [], [copy]));
  }
  await queryClient.invalidateQueries({ queryKey: keys.jobPages });
  selectJob(copy.id);
  toastSuccess(texts.success.added);
}
