import type { Job, Run } from "@routewright/web";

/** The jobs and runs of the active scenario. Which job is on which run is said by the jobs alone. */
export interface Plan {
  jobs: readonly Job[];
  runs: readonly Run[];
}

export const emptyPlan: Plan = { jobs: [], runs: [] };

/** What is worked out of a list is worked out once: lists of a plan are never changed, a change makes a new one. */
function once<T, V>(make: (list: readonly T[]) => V): (list: readonly T[]) => V {
  const made = new WeakMap<readonly T[], { value: V }>();
  return (list) => {
    let kept = made.get(list);
    if (kept === undefined) {
      kept = { value: make(list) };
      made.set(list, kept);
    }
    return kept.value;
  };
}

const NO_STOPS: readonly Job[] = [];

/** Jobs of a run in the order of its stops. */
export function stopsOf(jobs: readonly Job[], runId: number): readonly Job[] {
  return stopsByRun(jobs).get(runId) ?? NO_STOPS;
}

/** The stops that were worked out last, so that a run that stays as it was keeps its very list. */
let lastStops: ReadonlyMap<number, readonly Job[]> = new Map();

/** Jobs by run, each in the order of its stops. A run without a change has the same list as before. */
export const stopsByRun = once((jobs: readonly Job[]): ReadonlyMap<number, readonly Job[]> => {
  const lists = new Map<number, Job[]>();
  for (const job of jobs) {
    if (job.run_id === null) continue;
    const list = lists.get(job.run_id);
    if (list === undefined) lists.set(job.run_id, [job]);
    else list.push(job);
  }
  const stops = new Map<number, readonly Job[]>();
  for (const [runId, list] of lists) {
    list.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    const before = lastStops.get(runId);
    stops.set(runId, before !== undefined && sameItems(before, list) ? before : list);
  }
  lastStops = stops;
  return stops;
});

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

export const unservedOf = once((jobs: readonly Job[]): readonly Job[] =>
  jobs.filter((job) => job.run_id === null),
);

export const jobsById = once(
  (jobs: readonly Job[]): ReadonlyMap<number, Job> => new Map(jobs.map((job) => [job.id, job])),
);

export const runsById = once(
  (runs: readonly Run[]): ReadonlyMap<number, Run> => new Map(runs.map((run) => [run.id, run])),
);

const natural = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The order in which people count: J-2 before J-10. */
export function byUid(a: { uid: string }, b: { uid: string }): number {
  return natural.compare(a.uid, b.uid);
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
  const merged = runs.map((run) => {
    const change = byId.get(run.id);
    return change === undefined ? run : { ...run, ...asListed(change) };
  });
  const known = new Set(runs.map((run) => run.id));
  const made = changed.filter((run) => !known.has(run.id)).map(asListed);
  return made.length === 0 ? merged : [...merged, ...made].sort(byUid);
}

/**
 * A run as lists have it, which leave its jobs and figures out: what the socket tells of a change afterwards is then the
 * same, and nothing is drawn again.
 */
function asListed(run: Run): Run {
  const listed: Partial<Run> = { ...run };
  delete listed.jobs;
  delete listed.stats;
  return listed as Run;
}

/** Uids of a comma-separated link list. */
export function linkedUids(text: string | null): string[] {
  if (text === null || text === "") return [];
  return text
    .split(",")
    .map((uid) => uid.trim())
    .filter((uid) => uid !== "");
}
