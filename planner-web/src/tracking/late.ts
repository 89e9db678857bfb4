import type { Job } from "@routewright/web";

type Times = Pick<Job, "id" | "eta" | "updated_eta">;

/** Minutes by which the estimate is behind the plan; 0 without both. */
function lateness({ eta, updated_eta: updated }: Pick<Job, "eta" | "updated_eta">): number {
  return eta === null || updated === null ? 0 : (Date.parse(updated) - Date.parse(eta)) / 60_000;
}

/** Jobs whose lateness reaches the threshold (minutes) with these changes and had not reached it before. */
export function newlyLate(
  before: readonly Job[],
  changes: readonly Times[],
  threshold: number,
): { uid: string; minutes: number }[] {
  const known = new Map(before.map((job) => [job.id, job]));
  return changes.flatMap((change) => {
    const job = known.get(change.id);
    if (job === undefined || job.visited) return [];
    const minutes = lateness(change);
    return minutes >= threshold && lateness(job) < threshold
      ? [{ uid: job.uid, minutes: Math.round(minutes) }]
      : [];
  });
}
