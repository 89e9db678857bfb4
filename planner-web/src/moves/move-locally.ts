import { fill, type Job, type Move, type Run, texts, zoneOffset } from "@routewright/web";
import { jobsById, linkedUids, type Plan, stopsOf } from "../plan/plan.ts";

/** Linked jobs go in a circle; `chain` names it, for example `A -> B -> A`. */
export class CycleError extends Error {
  constructor(chain: readonly string[]) {
    super(fill(texts.runs.cycle, { chain: chain.join(" -> ") }));
    this.name = "CycleError";
  }
}

/**
 * The plan as it will probably be after a move, before the server has answered: the moved jobs and the jobs
 * linked with them change their run, and the stops after them shift by the average drive plus the service.
 */
export function moveLocally(plan: Plan, move: Move): Plan {
  const moved = withLinkedJobs(plan.jobs, move.job_ids);
  const movedIds = new Set(moved.map((job) => job.id));
  const sources = new Set(moved.map((job) => job.run_id).filter((id) => id !== null));
  const drive = (run: Run | undefined, stops: readonly Job[]): number =>
    run === undefined ? 0 : averageDrive(run, stops.length);
  const changed = new Map<number, Job>();
  const put = (jobs: readonly Job[]): void => {
    for (const job of jobs) changed.set(job.id, job);
  };

  if (move.run_id === null) {
    put(moved.map((job) => ({ ...job, run_id: null, seq: null, eta: null, etd: null })));
  } else {
    const runId = move.run_id;
    const stops = stopsOf(plan.jobs, runId);
    const staying = stops.filter((job) => !movedIds.has(job.id));
    const at = insertIndex(stops, staying, movedIds, move.seq);
    const sequence = [
      ...staying.slice(0, at),
      ...moved.map((job) => ({ ...job, run_id: runId })),
      ...staying.slice(at),
    ];
    const run = plan.runs.find(({ id }) => id === runId);
    put(retimed(sequence, stops, run, drive(run, stops)));
  }
  for (const source of sources) {
    if (source === move.run_id) continue;
    const stops = stopsOf(plan.jobs, source);
    const run = plan.runs.find(({ id }) => id === source);
    put(
      retimed(
        stops.filter((job) => !movedIds.has(job.id)),
        stops,
        run,
        drive(run, stops),
      ),
    );
  }
  return { runs: plan.runs, jobs: plan.jobs.map((job) => changed.get(job.id) ?? job) };
}

/** Seconds between two stops: the run's driving time over its number of jobs. */
function averageDrive(run: Run, jobs: number): number {
  return run.total_driving_time / Math.max(1, jobs);
}

/** Index among the staying stops at which position `seq` (from 1; `null`: the end) of the run lies. */
function insertIndex(
  stops: readonly Job[],
  staying: readonly Job[],
  moved: ReadonlySet<number>,
  seq: number | null,
): number {
  if (seq === null) return staying.length;
  const before = stops.slice(0, Math.max(0, seq - 1)).filter((job) => !moved.has(job.id)).length;
  // Within one run a job that moves down takes the place of the one that it passes.
  const leftAbove = stops.slice(0, Math.max(0, seq - 1)).length - before;
  return Math.min(staying.length, before + leftAbove);
}

/** Numbers a sequence anew and shifts its times; the stops before the first change keep theirs. */
function retimed(
  sequence: readonly Job[],
  before: readonly Job[],
  run: Run | undefined,
  drive: number,
): Job[] {
  let same = 0;
  while (same < sequence.length && sequence[same]?.id === before[same]?.id) same += 1;
  let clock = startClock(sequence, before, same, run, drive);
  return sequence.map((job, index) => {
    const seq = index + 1;
    if (index < same) return { ...job, seq };
    if (clock === null) return { ...job, seq, eta: null, etd: null };
    const arrival = Math.max(clock, earliest(job, clock));
    const departure = arrival + job.duration * 60_000;
    clock = departure + drive * 1000;
    return { ...job, seq, eta: new Date(arrival).toISOString(), etd: new Date(departure).toISOString() };
  });
}

/** Arrival at the first changed stop, in milliseconds; `null` when the run has no times yet. */
function startClock(
  sequence: readonly Job[],
  before: readonly Job[],
  same: number,
  run: Run | undefined,
  drive: number,
): number | null {
  const last = same > 0 ? sequence[same - 1] : undefined;
  if (last !== undefined) {
    const departure = last.etd ?? last.eta;
    if (departure === null) return null;
    return Date.parse(departure) + drive * 1000;
  }
  const first = before[0]?.eta ?? null;
  if (first !== null) return Date.parse(first);
  return run?.planned_start_time == null ? null : Date.parse(run.planned_start_time) + drive * 1000;
}

/** `arrive_after` of a job on the day of a moment, in milliseconds. */
function earliest(job: Job, moment: number): number {
  if (job.arrive_after === null) return -Infinity;
  const [hour = 0, minute = 0] = job.arrive_after.split(":").map(Number);
  const offset = zoneOffset(job.timezone, moment);
  const local = new Date(moment + offset);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), hour, minute) - offset;
}

/** The jobs with everything that is linked to them, pickups before deliveries, else in the given order. */
export function withLinkedJobs(jobs: readonly Job[], ids: readonly number[]): Job[] {
  const byUid = new Map(jobs.map((job) => [job.uid, job]));
  const before = new Map<string, Set<string>>();
  const link = (first: string, then: string): void => {
    if (!byUid.has(first) || !byUid.has(then)) return;
    before.set(then, (before.get(then) ?? new Set()).add(first));
  };
  for (const job of jobs) {
    for (const uid of linkedUids(job.pickup_from)) link(uid, job.uid);
    for (const uid of linkedUids(job.deliver_to)) link(job.uid, uid);
  }
  const chosen = connected(byUid, jobsById(jobs), ids, before);
  return topological(chosen, before, byUid);
}

/** Everything reachable from the jobs over links in either direction. */
function connected(
  byUid: ReadonlyMap<string, Job>,
  byId: ReadonlyMap<number, Job>,
  ids: readonly number[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): Job[] {
  const order = ids.flatMap((id) => byId.get(id) ?? []);
  const seen = new Set(order.map((job) => job.uid));
  const neighbours = new Map<string, string[]>();
  const near = (uid: string, other: string): void => {
    const list = neighbours.get(uid);
    if (list === undefined) neighbours.set(uid, [other]);
    else list.push(other);
  };
  for (const [then, firsts] of before) {
    for (const first of firsts) {
      near(then, first);
      near(first, then);
    }
  }
  for (const { uid } of order) {
    // The list grows while it is walked.
    for (const other of neighbours.get(uid) ?? []) {
      const job = byUid.get(other);
      if (job === undefined || seen.has(other)) continue;
      seen.add(other);
      order.push(job);
    }
  }
  return order;
}

function topological(
  jobs: readonly Job[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
  byUid: ReadonlyMap<string, Job>,
): Job[] {
  const wanted = new Set(jobs.map((job) => job.uid));
  const sorted: Job[] = [];
  const done = new Set<string>();
  const visit = (job: Job, path: readonly string[]): void => {
    if (done.has(job.uid)) return;
    const start = path.indexOf(job.uid);
    if (start >= 0) throw new CycleError([...path.slice(start), job.uid]);
    for (const uid of before.get(job.uid) ?? []) {
      const first = byUid.get(uid);
      if (first !== undefined && wanted.has(uid)) visit(first, [...path, job.uid]);
    }
    done.add(job.uid);
    sorted.push(job);
  };
  for (const job of jobs) visit(job, []);
  return sorted;
}
