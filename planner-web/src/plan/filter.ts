import { type Job, texts } from "@routewright/web";
import type { Problems } from "./problems.ts";
import type { JobFilter } from "./selection.ts";

/** Whether a job is shown by a filter of the jobs panel. */
export function passes(job: Job, filter: JobFilter, problems: Problems): boolean {
  if (filter.startsWith(UNSERVED))
    return job.run_id === null && reasonOf(job) === filter.slice(UNSERVED.length);
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
    default:
      return true;
  }
}

/** Jobs that the map shows: those of the runs that are shown, as far as the filter of the jobs panel lets them through. */
export function jobsOnMap(
  jobs: readonly Job[],
  hiddenRuns: ReadonlySet<number>,
  filter: JobFilter,
  problems: Problems,
): Job[] {
  return jobs.filter(
    (job) => (job.run_id === null || !hiddenRuns.has(job.run_id)) && passes(job, filter, problems),
  );
}

const UNSERVED = "unserved:";
const NO_REASON = "";

/** Why a job is on no run, as the optimiser named it; empty when nothing is known. */
function reasonOf(job: Job): string {
  return job.unserved_reason ?? NO_REASON;
}

/** A group of unserved jobs. */
export interface UnservedGroup {
  filter: JobFilter;
  /** Why, in words. */
  text: string;
  count: number;
}

/** Unserved jobs by their reason, the most frequent first. */
export function unservedGroups(unserved: readonly Job[]): UnservedGroup[] {
  const words: Readonly<Record<string, string>> = texts.optimise.reasons;
  const counts = new Map<string, number>();
  for (const job of unserved) counts.set(reasonOf(job), (counts.get(reasonOf(job)) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => ({
      filter: `${UNSERVED}${reason}` as const,
      text: words[reason] ?? texts.map.noReason,
      count,
    }));
}
