import type { Job, Run } from "@routewright/web";
import { windowStart } from "../plan/lateness.ts";
import { AT_STOP, STALE, VISIT } from "./bounds.ts";
import { metresBetween } from "./geo.ts";
import { paceOf, type Pace, plannedService, plannedTravel, restOf, spreadOf } from "./pace.ts";
import type { Stand } from "./stand.ts";

const MINUTE = 60_000;
/** Milliseconds: a range is never narrower on either side than what a clock shows and a driver notes. */
const LEAST = 2 * MINUTE;

/** When a stop is expected to be reached; milliseconds. In 8 of 10 cases it is reached between `from` and `to`. */
export interface Expected {
  at: number;
  from: number;
  to: number;
}

/** What is known of a run on the road. */
export interface Known {
  run: Run;
  /** In visiting order. */
  stops: readonly Job[];
  /** When the newest position was recorded; `null` without one. */
  positionAt: number | null;
  /** Where the vehicle stands; `null` while it moves, or nothing is known. */
  stand: Stand | null;
  now: number;
  /** Whether the day is being driven: a run that has not left although it should have is then late for all its stops. */
  driven: boolean;
}

/** The last that is known of a run, and what follows from it. */
export interface Outlook {
  /** What the estimates start from. */
  from: { kind: "start" | "proof" | "position" | "plan"; at: number };
  pace: Pace;
  /** The job where the vehicle stands; `null` elsewhere. */
  atJobId: number | null;
  /** Of the stops that are still to be made, by job. */
  stops: ReadonlyMap<number, Expected>;
}

/**
 * When the open stops of a run are expected to be reached, from its last fact on and at its own pace so far.
 *
 * The way to the next stop is the one that the server estimated from the vehicle's last place; what lies behind it is
 * planned. Both are stretched by the run's pace (see {@link paceOf}). A stop is not served before its window opens, and
 * none that is open was reached before now. `null` for a run that is closed or has no times.
 */
export function outlookOf(known: Known): Outlook | null {
  const { run, stops, now } = known;
  if (run.actual_end_time !== null || run.planned_start_time === null) return null;
  if (stops.length === 0 || stops.some(({ eta }) => eta === null)) return null;
  const open = stops.filter(({ visited }) => !visited);
  const pace = paceOf(run, stops);
  const from = lastFact(known, open[0]);
  const here = known.stand === null ? undefined : standsAt(known.stand, open, known);
  const found = new Map<number, Expected>();
  let clock = from.at;
  // Planned minutes of work since the last fact, which is what the range grows with.
  let work = 0;
  // For a plan that nobody drives nothing is known.
  const driven = run.actual_start_time !== null || known.driven;
  if (here !== undefined && known.stand !== null) {
    // What stood there before the last proof was of another stop.
    const since = Math.max(known.stand.since, ...stops.flatMap(proofTime));
    const began = Math.max(since, windowStart(here, run) ?? since);
    found.set(here.id, { at: began, from: began, to: began });
    const service = restOf(plannedService(here) / MINUTE, (now - began) / MINUTE, pace);
    clock = Math.max(began + service.ends * MINUTE, now);
    work = service.work;
  }
  let first = here === undefined;
  for (const job of open) {
    if (job === here) continue;
    let arrives: number;
    if (first) {
      const travel = firstTravel(known, job, from, pace.ratio) / pace.ratio / MINUTE;
      const rest = restOf(travel, driven ? (now - from.at) / MINUTE : -Infinity, pace);
      // Who has not come by now comes now at the earliest.
      arrives = Math.max(from.at + rest.ends * MINUTE, driven ? now : clock);
      // Of a vehicle that was not heard of for long nobody knows that it has not come.
      const old = driven && now - from.at > STALE;
      work = old ? Math.max(rest.work, (arrives - from.at) / pace.ratio / MINUTE) : rest.work;
    } else {
      const travel = plannedTravel(run, stops, job);
      arrives = clock + travel * pace.ratio;
      work += travel / MINUTE;
    }
    first = false;
    const earliest = driven ? now : clock;
    const opens = windowStart(job, run) ?? -Infinity;
    const half = Math.max(LEAST, spreadOf(pace, work) * MINUTE);
    const at = Math.max(arrives, opens);
    found.set(job.id, {
      at,
      from: Math.max(Math.min(earliest, at), arrives - half, opens),
      to: Math.max(arrives + half, opens),
    });
    // Who waits for the window in any case starts from there anew.
    if (arrives + half <= opens) work = 0;
    work += plannedService(job) / MINUTE;
    clock = at + plannedService(job) * pace.ratio;
  }
  return { from, pace, atJobId: here?.id ?? null, stops: found };
}

/** The newest of start, proofs and positions; before the start the planned departure with what it was delayed by. */
function lastFact({ run, stops, positionAt, now, driven }: Known, next: Job | undefined): Outlook["from"] {
  if (run.actual_start_time === null) {
    const departure = plannedDeparture(run, next);
    return { kind: "plan", at: driven ? Math.max(departure, now) : departure };
  }
  let fact: Outlook["from"] = { kind: "start", at: Date.parse(run.actual_start_time) };
  for (const { proof_time: time } of stops) {
    if (time !== null && Date.parse(time) >= fact.at) fact = { kind: "proof", at: Date.parse(time) };
  }
  // Without the server's estimate from there a place tells no time.
  if (positionAt !== null && positionAt > fact.at && next != null && next.updated_eta !== null) {
    fact = { kind: "position", at: positionAt };
  }
  return fact;
}

function proofTime({ proof_time: time }: Job): number[] {
  return time === null ? [] : [Date.parse(time)];
}

/** When the run should leave, with what it was delayed by (milliseconds). */
export function plannedDeparture(run: Run, next: Job | undefined): number {
  const planned = Date.parse(run.planned_start_time ?? "");
  if (next === undefined || next.eta === null || next.updated_eta === null) return planned;
  return planned + Math.max(0, Date.parse(next.updated_eta) - Date.parse(next.eta));
}

/** Milliseconds to the next stop at the run's pace. */
function firstTravel({ run, stops }: Known, job: Job, from: Outlook["from"], pace: number): number {
  const planned = plannedTravel(run, stops, job);
  if (from.kind === "plan" || job.updated_eta === null) return planned * pace;
  const estimated = Math.max(0, Date.parse(job.updated_eta) - from.at);
  // An estimate at the window's opening holds waiting, of which nobody knows how much.
  const waits = Date.parse(job.updated_eta) <= (windowStart(job, run) ?? -Infinity);
  return (waits ? Math.min(estimated, planned) : estimated) * pace;
}

/**
 * The open stop at which the vehicle stands. What is not next in the plan is passed on the way, too: it is visited by who stands
 * there for a while, within its window.
 */
function standsAt(
  { place, since, until }: Stand,
  open: readonly Job[],
  { run, now }: Known,
): Job | undefined {
  const visits = (job: Job): boolean => until - since >= VISIT && now >= (windowStart(job, run) ?? -Infinity);
  return open.find(
    (job, index) => metresBetween(place, job.location) <= AT_STOP && (index === 0 || visits(job)),
  );
}
