import {
  type Job,
  messageOfError,
  request,
  texts,
  toastError,
  toastLoading,
  toastSuccess,
  type TrackingResult,
} from "@routewright/web";

/** Most items in one call. */
const BATCH = 500;

/** Sends customers the links to their pages, under a toast; answers the jobs whose links were sent. */
export async function sendLinks(
  jobs: readonly Job[],
  emailOf: (job: Job) => string,
): Promise<readonly Job[]> {
  const id = toastLoading(texts.tracking.sending);
  try {
    const failed: TrackingResult[] = [];
    for (let start = 0; start < jobs.length; start += BATCH) {
      const results = await request<TrackingResult[]>("/jobs/send_tracking_urls", {
        method: "POST",
        body: jobs.slice(start, start + BATCH).map((job) => ({
          email: emailOf(job),
          token: job.tracking_token,
          job_id: job.id,
          dispatch_method: "email",
        })),
        quiet: true,
      });
      failed.push(...results.filter(({ success }) => !success));
    }
    if (failed.length === 0) {
      toastSuccess(texts.tracking.sent, { id });
      return jobs;
    }
    const uids = new Map(jobs.map((job) => [job.id, job.uid]));
    const list = failed.map(
      ({ job_id: jobId, error }) => `${uids.get(jobId) ?? jobId}: ${error ?? texts.errors.unknown}`,
    );
    toastError(list.slice(0, 5).join("; "), { id });
    const refused = new Set(failed.map(({ job_id: jobId }) => jobId));
    return jobs.filter((job) => !refused.has(job.id));
  } catch (error) {
    toastError(messageOfError(error), { id });
    return [];
  }
}
