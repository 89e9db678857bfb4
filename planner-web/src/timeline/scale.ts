import type { Job, Run } from "@routewright/web";

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
  // Moments are ISO 8601 in UTC: their texts have the order of time, and thousands need not be parsed.
  let first = "~";
  let last = "";
  const take = (moment: string | null): void => {
    if (moment === null) return;
    if (moment < first) first = moment;
    if (moment > last) last = moment;
  };
  for (const { planned_start_time: from, planned_end_time: to } of runs) {
    take(from);
    take(to);
  }
  for (const { run_id: run, eta, etd, updated_eta: updated } of jobs) {
    if (run === null) continue;
    take(eta);
    take(etd);
    take(updated);
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
