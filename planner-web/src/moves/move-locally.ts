import { fill, type Job, type Move, type Run, texts } from "@routewright/web";
import { linkedUids, type Plan, stopsOf } from "../plan/plan.ts";

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
  const drive = new Map(
    plan.runs.map((run) => [run.id, averageDrive(run, stopsOf(plan.jobs, run.id).length)]),
  );
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
    put(retimed(sequence, stops, run, drive.get(runId) ?? 0));
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
        drive.get(source) ?? 0,
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

/** Milliseconds that a zone's clock is ahead of UTC at a moment. */
function zoneOffset(zone: string, moment: number): number {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      timeZoneName: "longOffset",
    }).formatToParts(moment);
    const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
    const match = /([+-])(\d{2}):(\d{2})/.exec(name);
    if (match === null) return 0;
    const [, sign, hours, minutes] = match;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  } catch {
    return 0;
  }
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
  const chosen = connected(jobs, ids, before);
  return topological(chosen, before, byUid);
}

/** Everything reachable from the jobs over links in either direction. */
function connected(
  jobs: readonly Job[],
  ids: readonly number[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): Job[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const order = ids.flatMap((id) => byId.get(id) ?? []);
  const seen = new Set(order.map((job) => job.uid));
  const queue = [...seen];
  for (let uid = queue.shift(); uid !== undefined; uid = queue.shift()) {
    for (const job of jobs) {
      const linked = before.get(uid)?.has(job.uid) === true || before.get(job.uid)?.has(uid) === true;
      if (!linked || seen.has(job.uid)) continue;
      seen.add(job.uid);
      queue.push(job.uid);
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
