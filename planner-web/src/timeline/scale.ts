import type { Job, Run } from "@routewright/web";
import { stopsByRun } from "../plan/plan.ts";

/** Milliseconds of the shown span. */
export interface Span {
  start: number;
  end: number;
}

const HOUR = 3_600_000;
const FALLBACK_HOURS = 10;

/**
 * The whole hours that hold all runs and stops; where there are none, those after `now`. With `hold` they hold that
 * moment too (milliseconds).
 */
export function spanOf(
  runs: readonly Run[],
  jobs: readonly Job[],
  now: number,
  hold: number | null = null,
): Span {
  let { first, last } = endsOf(runs.flatMap((run) => [run.planned_start_time, run.planned_end_time]));
  for (const stops of stopsByRun(jobs).values()) {
    let ends = known.get(stops);
    if (ends === undefined) {
      ends = endsOf(stops.flatMap((stop) => [stop.eta, stop.etd, stop.updated_eta]));
      known.set(stops, ends);
    }
    if (ends.first < first) first = ends.first;
    if (ends.last > last) last = ends.last;
  }
  if (last === "") {
    const start = Math.floor(now / HOUR) * HOUR;
    return { start, end: start + FALLBACK_HOURS * HOUR };
  }
  const min = Math.min(Date.parse(first), hold ?? Infinity);
  const max = Math.max(Date.parse(last), hold ?? -Infinity);
  const start = Math.floor(min / HOUR) * HOUR;
  const end = Math.max(start + HOUR, Math.ceil(max / HOUR) * HOUR);
  return { start, end };
}

interface Ends {
  first: string;
  last: string;
}

/** Of stops as they were seen last; most runs stay as they were when a plan changes. */
const known = new WeakMap<readonly Job[], Ends>();

/** Moments are ISO 8601 in UTC: their texts have the order of time, and thousands need not be parsed. */
function endsOf(moments: readonly (string | null)[]): Ends {
  let first = "~";
  let last = "";
  for (const moment of moments) {
    if (moment === null) continue;
    if (moment < first) first = moment;
    if (moment > last) last = moment;
  }
  return { first, last };
}

/** Place of a moment in the span, 0 to 100 per cent. */
export function percentOf(moment: number, { start, end }: Span): number {
  return ((moment - start) / (end - start)) * 100;
}

/** Full hours of a span, thinned so that at most `most` are shown. */
export function hoursOf({ start, end }: Span, most: number): number[] {
  const count = Math.round((end - start) / HOUR);
  const step = Math.max(1, Math.ceil(count / most));
  const hours: number[] = [];
  for (let hour = 0; hour <= count; hour += step) hours.push(start + hour * HOUR);
  return hours;
}

/** Position (from 1) that a drop at a moment means among the stops. */
export function dropPosition(stops: readonly Job[], moment: number): number {
  const index = stops.findIndex((job) => job.eta !== null && Date.parse(job.eta) > moment);
  return index < 0 ? stops.length + 1 : index + 1;
}
