import type { GpsPoint, Job, Run } from "@routewright/web";
import { createContext, useContext } from "react";
import type { Plan } from "../plan/plan.ts";
import { stopsByRun } from "../plan/plan.ts";
import { type Expected, type Outlook, outlookOf } from "./expected.ts";
import type { Tracks } from "./positions.ts";
import { type Stand, standOf } from "./stand.ts";

/** What is known of one run on the road. */
export interface OnRoad {
  /** `null` for a run that is closed or has no times. */
  outlook: Outlook | null;
  stand: Stand | null;
  /** In the order of their times. */
  track: readonly GpsPoint[];
}

/** What is known of the runs of the day, as it stands now. */
export interface Road {
  /** Milliseconds; `null` unless the plan's day is today. */
  now: number | null;
  /** Whether the day is driven: a plan that is only looked at has no run that should have left. */
  driven: boolean;
  runs: ReadonlyMap<number, OnRoad>;
}

export const NO_ROAD: Road = { now: null, driven: false, runs: new Map() };

export const RoadContext = createContext<Road>(NO_ROAD);

/** What is known of the runs of the plan on the screen. */
export function useRoad(): Road {
  return useContext(RoadContext);
}

/** When an open stop is expected; `null` without a run on the road. */
export function expectedOf(road: Road, job: Pick<Job, "id" | "run_id">): Expected | null {
  return road.runs.get(job.run_id ?? 0)?.outlook?.stops.get(job.id) ?? null;
}

/** Runs without a new fact in the same minute are not looked at again. */
const last = new WeakMap<
  Run,
  { stops: readonly Job[]; track: readonly GpsPoint[]; now: number; driven: boolean; found: OnRoad }
>();

/** What follows from the plan and the positions at a moment (milliseconds). */
export function roadOf(plan: Plan, tracks: Tracks, now: number, tracked: boolean): Road {
  const stops = stopsByRun(plan.jobs);
  const driven = tracked || plan.runs.some((run) => run.dispatched || run.actual_start_time !== null);
  const runs = new Map<number, OnRoad>();
  for (const run of plan.runs) {
    const known = {
      stops: stops.get(run.id) ?? NO_STOPS,
      track: tracks.get(run.id) ?? NO_TRACK,
      now,
      driven,
    };
    const before = last.get(run);
    const same =
      before?.stops === known.stops &&
      before.track === known.track &&
      before.now === now &&
      before.driven === driven;
    const found = same ? before.found : lookAt(run, known);
    if (!same) last.set(run, { ...known, found });
    runs.set(run.id, found);
  }
  return { now, driven, runs };
}

function lookAt(
  run: Run,
  known: { stops: readonly Job[]; track: readonly GpsPoint[]; now: number; driven: boolean },
): OnRoad {
  const { track, now } = known;
  const stand = run.actual_start_time === null || run.actual_end_time !== null ? null : standOf(track, now);
  const newest = track.at(-1)?.recorded_at;
  const positionAt = newest === undefined ? null : Date.parse(newest);
  return { outlook: outlookOf({ run, ...known, positionAt, stand }), stand, track };
}

const NO_STOPS: readonly Job[] = [];
const NO_TRACK: readonly GpsPoint[] = [];
