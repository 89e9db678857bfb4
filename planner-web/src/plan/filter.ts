import type { Job } from "@routewright/web";
import type { Problems } from "./problems.ts";
import type { JobFilter } from "./selection.ts";

/** Whether a job is shown by a filter of the jobs panel. */
export function passes(job: Job, filter: JobFilter, problems: Problems): boolean {
  switch (filter) {
    case "all":
      return true;
    case "unserved":
      return job.run_id === null;
    case "served":
      return job.run_id !== null;
    case "late":
      return problems.has(job.id, "late");
    case "problem":
      return problems.ofJob(job.id).length > 0;
  }
}
