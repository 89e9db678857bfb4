import { distanceText, type DistanceUnit, type Job, type Run } from "@routewright/web";
import type { RunContact } from "../contact/contact.ts";
import { windowEnd } from "../plan/lateness.ts";
import type { Plan } from "../plan/plan.ts";
import type { Problem, Problems } from "../plan/problems.ts";
import type { OnRoad, Road } from "../road/road.ts";

/** What can go wrong on the road, the most urgent first. */
export const EXCEPTION_KINDS = [
  "late",
  "no_start",
  "silent",
  "long_stop",
  "off_plan",
  "unconfirmed",
  "failed",
  "missing_proof",
  "problem",
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

/** One thing on the road that somebody should look at. */
export interface Exception {
  /** The same as long as the same is wrong. */
  key: string;
  kind: ExceptionKind;
  severity: Problem["severity"];
  /** The job; `null` when it is the run as a whole. */
  jobId: number | null;
  /** The run; `null` for a job on no run. */
  runId: number | null;
  /** What is wrong, with figures. */
  text: string;
  /**
   * When the promise breaks or was broken, in milliseconds: the end of the window that is at stake, the first one of the
   * run where it is about the whole run, else the planned moment that was missed. `null` where nothing was promised.
   */
  breaksAt: number | null;
}

/** The day as it stands. */
export interface Day {
  plan: Plan;
  problems: Problems;
  road: Road;
  contacts: ReadonlyMap<number, RunContact>;
  terms: Terms;
}

/** Where the organisation's clocks are, and how it measures. */
export interface Terms {
  zone: string;
  unit: DistanceUnit;
}

/** A run with all that is known of it while it is driven. */
export interface Driven {
  run: Run;
  /** In visiting order. */
  stops: readonly Job[];
  open: readonly Job[];
  on: OnRoad;
  contact: RunContact | undefined;
  /** Milliseconds. */
  now: number;
  terms: Terms;
}

/** What is told of a kind, without what follows from its place in the plan. */
export interface Finding {
  severity: Exception["severity"];
  text: string;
  job?: Job | undefined;
  breaksAt?: number | null;
  /** Tells one of several of the same kind apart. */
  which?: string;
}

/** When the first window of the open stops closes (milliseconds). */
export function firstPromise(run: Run, stops: readonly Job[]): number | null {
  const ends = stops.flatMap((job) => (job.visited ? [] : (windowEnd(job, run) ?? [])));
  return ends.length === 0 ? null : Math.min(...ends);
}

/** `3.2 km`. */
export function metresText(metres: number, { unit }: Terms): string {
  return distanceText(metres, unit);
}
