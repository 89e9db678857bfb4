import type { Job, Run } from "@routewright/web";

/** The jobs and runs of the active scenario. Which job is on which run is said by the jobs alone. */
export interface Plan {
  jobs: readonly Job[];
  runs: readonly Run[];
}

export const emptyPlan: Plan = { jobs: [], runs: [] };

/** Jobs of a run in the order of its stops. */
export function stopsOf(jobs: readonly Job[], runId: number): Job[] {
  return jobs.filter((job) => job.run_id === runId).sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
}

/** Jobs by run, each in the order of its stops. */
export function stopsByRun(jobs: readonly Job[]): Map<number, Job[]> {
  const stops = new Map<number, Job[]>();
  for (const job of jobs) {
    if (job.run_id === null) continue;
    const list = stops.get(job.run_id);
    if (list === undefined) stops.set(job.run_id, [job]);
    else list.push(job);
  }
  for (const list of stops.values()) list.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
  return stops;
}

export function unservedOf(jobs: readonly Job[]): Job[] {
  return jobs.filter((job) => job.run_id === null);
}

/** The list with items replaced by id, and new ones put first. */
export function mergeById<T extends { id: number }>(items: readonly T[], changed: readonly T[]): T[] {
  const byId = new Map(changed.map((item) => [item.id, item]));
  const merged = items.map((item) => {
    const change = byId.get(item.id);
    byId.delete(item.id);
    return change === undefined ? item : { ...item, ...change };
  });
  return [...byId.values(), ...merged];
}

/** The plan after an answer of the server that carries whole runs with their jobs, and unserved jobs. */
export function withAnswer(plan: Plan, runs: readonly Run[], unserved: readonly Job[] = []): Plan {
  const answered = new Set(runs.map((run) => run.id));
  const jobs = [...runs.flatMap((run) => run.jobs), ...unserved];
  const served = new Set(jobs.map((job) => job.id));
  const kept = plan.jobs.map((job) =>
    // A job that an answered run no longer has left it for a run or place of the same answer, or for none.
    job.run_id !== null && answered.has(job.run_id) && !served.has(job.id)
      ? { ...job, run_id: null, seq: null, eta: null, etd: null }
      : job,
  );
  return { jobs: mergeById(kept, jobs), runs: mergeRuns(plan.runs, runs) };
}

function mergeRuns(runs: readonly Run[], changed: readonly Run[]): Run[] {
  const byId = new Map(changed.map((run) => [run.id, run]));
  const merged = runs.map((run) => ({ ...run, ...byId.get(run.id) }));
  const known = new Set(runs.map((run) => run.id));
  return [...merged, ...changed.filter((run) => !known.has(run.id))];
}

/** Uids of a comma-separated link list. */
export function linkedUids(text: string | null): string[] {
  return (text ?? "")
    .split(",")
    .map((uid) => uid.trim())
    .filter((uid) => uid !== "");
}
