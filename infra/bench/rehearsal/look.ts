import type { GpsPoint, Job, Run } from "@routewright/web";
import type { RunContact } from "../../../planner-web/src/contact/contact.ts";
import { exceptionsOf } from "../../../planner-web/src/live/exceptions.ts";
import { windowEnd, windowStart } from "../../../planner-web/src/plan/lateness.ts";
import { problemsOf } from "../../../planner-web/src/plan/problems.ts";
import { metresBetween } from "../../../planner-web/src/road/geo.ts";
import { tracksOf } from "../../../planner-web/src/road/positions.ts";
import { roadOf } from "../../../planner-web/src/road/road.ts";

/** What the API told at one moment. */
export interface Answers {
  now: number;
  zone: string;
  jobs: Job[];
  runs: Run[];
  contacts: RunContact[];
  points: GpsPoint[];
}

/** What the office saw of one open stop. */
export interface Seen {
  at: number;
  from: number;
  to: number;
  late: boolean;
}

/** What the office saw at one moment, by job; with the code of its screens. */
export interface Look {
  now: number;
  stops: Map<number, Seen>;
  /** Keys of what was told, for the next look. */
  told: Set<string>;
  kinds: Set<string>;
  /** Minutes since the newest position of each run on the road. */
  ages: number[];
}

export function look(
  { now, zone, jobs, runs, contacts, points }: Answers,
  before: ReadonlySet<string>,
): Look {
  const plan = { jobs, runs };
  const problems = problemsOf(plan, { mode: "sum", zeroIsUnlimited: true, zone });
  const road = roadOf(plan, tracksOf(points), now, true);
  const byRun = new Map(contacts.map((contact) => [contact.run_id, contact]));
  const found = exceptionsOf({ plan, problems, road, contacts: byRun, terms: { zone, unit: "km" } }, before);
  const late = new Set(
    found.flatMap(({ kind, jobId }) => (kind === "late" && jobId !== null ? [jobId] : [])),
  );
  const stops = new Map<number, Seen>();
  for (const [id, on] of road.runs) {
    // Of a run that has not left nobody claims to know.
    if (runs.find((run) => run.id === id)?.actual_start_time === null) continue;
    for (const [job, { at, from, to }] of on.outlook?.stops ?? []) {
      if (job !== on.outlook?.atJobId) stops.set(job, { at, from, to, late: late.has(job) });
    }
  }
  const onRoad = runs.filter((run) => run.actual_start_time !== null && run.actual_end_time === null);
  const ages = onRoad.flatMap(({ id }) => {
    const newest = road.runs.get(id)?.track.at(-1)?.recorded_at;
    return newest === undefined ? [] : [(now - Date.parse(newest)) / 60_000];
  });
  return {
    ages,
    now,
    stops,
    told: new Set(found.map(({ key }) => key)),
    kinds: new Set(found.map(({ kind }) => kind)),
  };
}

/** What became of a stop. */
export interface Happened {
  jobId: number;
  /** When the vehicle was there and the window open, milliseconds. */
  reached: number;
  /** When its window closes; `null` without an end. */
  closes: number | null;
}

/** Metres within which a vehicle is at a stop. */
const THERE = 100;

/**
 * When each stop was reached, by the positions of the whole day: since when the vehicle was there without a break before
 * its proof.
 */
export function happened({ jobs, runs, points }: Answers): Happened[] {
  const found: Happened[] = [];
  for (const run of runs) {
    const track = points
      .filter((point) => point.run_id === run.id)
      .sort((a, b) => Date.parse(a.recorded_at) - Date.parse(b.recorded_at));
    const stops = jobs
      .filter((job) => job.run_id === run.id && job.proof_time !== null)
      .sort((a, b) => Date.parse(a.proof_time ?? "") - Date.parse(b.proof_time ?? ""));
    let left = run.actual_start_time === null ? 0 : Date.parse(run.actual_start_time);
    for (const job of stops) {
      const proof = Date.parse(job.proof_time ?? "");
      let arrived = proof;
      for (const point of track.filter(({ recorded_at: at }) => Date.parse(at) <= proof).reverse()) {
        const at = Date.parse(point.recorded_at);
        if (at < left || metresBetween(point, job.location) > THERE) break;
        arrived = at;
      }
      const opens = windowStart(job, run) ?? -Infinity;
      found.push({ jobId: job.id, reached: Math.max(arrived, opens), closes: windowEnd(job, run) });
      left = proof;
    }
  }
  return found;
}
