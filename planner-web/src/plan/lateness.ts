import { fill, type Job, momentOf, type Run, shortTime, texts, wallClock } from "@routewright/web";

const DAY = 86_400_000;
const moments = new Map<string, number>();

/** A time of day on a date in a zone, in milliseconds. Windows repeat, and zones are slow: what was asked is kept. */
function moment(date: string, time: string, zone: string): number {
  const key = `${date}T${time}|${zone}`;
  let found = moments.get(key);
  if (found === undefined) {
    if (moments.size > 10_000) moments.clear();
    found = Date.parse(momentOf(`${date}T${time}`, zone));
    moments.set(key, found);
  }
  return found;
}

/** The day that a run is planned for. */
function dateOf(run: Run, zone: string): string | null {
  return run.scenario?.scheduled_date ?? (wallClock(run.planned_start_time, zone).slice(0, 10) || null);
}

/** The run's shift ends on the next day. */
function overnight(run: Run): boolean {
  return shortTime(run.shift_end) <= shortTime(run.shift_start);
}

/** A time of day (`HH:mm`) on the day that a run is driven, in milliseconds; of a night shift also the next morning. */
export function timeOnDay(run: Run, time: string, zone: string): number | null {
  const date = dateOf(run, zone);
  if (date === null) return null;
  const found = moment(date, shortTime(time), zone);
  return overnight(run) && shortTime(time) < shortTime(run.shift_start) ? found + DAY : found;
}

/**
 * When the window of a job closes on its run, in milliseconds; `null` without an end. As the optimiser reads it: a window
 * that closes before a night shift begins means the next morning.
 */
export function windowEnd(job: Job, run: Run): number | null {
  return job.leave_by === null ? null : timeOnDay(run, job.leave_by, job.timezone);
}

/** When the window of a job opens on its run, in milliseconds; `null` without a begin. */
export function windowStart(job: Job, run: Run): number | null {
  return job.arrive_after === null ? null : timeOnDay(run, job.arrive_after, job.timezone);
}

/** When the job is expected to be reached: the newest estimate while the day runs, else the plan. */
export function expectedArrival(job: Job): string | null {
  return job.updated_eta ?? job.eta;
}

/** Whole minutes by which a job is, or will be, reached after its window; 0 when it is on time, visited or on no run. */
export function lateMinutes(job: Job, run: Run): number {
  const at = expectedArrival(job);
  const end = windowEnd(job, run);
  if (at === null || end === null || job.visited) return 0;
  return wholeMinutes(Date.parse(at) - end);
}

/**
 * When the run is expected to end (ISO 8601): its actual end, else the planned one shifted as its last open stop is.
 * Stops in visiting order.
 */
export function expectedEnd(run: Run, stops: readonly Job[]): string | null {
  if (run.actual_end_time !== null) return run.actual_end_time;
  if (run.planned_end_time === null) return null;
  const last = stops.at(-1);
  if (last === undefined || last.visited || last.updated_eta === null || last.eta === null) {
    return run.planned_end_time;
  }
  const shift = Date.parse(last.updated_eta) - Date.parse(last.eta);
  return new Date(Date.parse(run.planned_end_time) + shift).toISOString();
}

/** When the shift of a run ends, in milliseconds. */
export function shiftEnd(run: Run, zone: string): number | null {
  const date = dateOf(run, zone);
  if (date === null) return null;
  return moment(date, shortTime(run.shift_end), zone) + (overnight(run) ? DAY : 0);
}

/** Whole minutes by which a run is expected to end after its shift; 0 when it does not, or is closed. */
export function overtimeMinutes(run: Run, stops: readonly Job[], zone: string): number {
  const end = expectedEnd(run, stops);
  const limit = shiftEnd(run, zone);
  if (end === null || limit === null || stops.length === 0 || run.status === "closed") return 0;
  return wholeMinutes(Date.parse(end) - limit);
}

/** Anything late is at least a minute late. */
function wholeMinutes(milliseconds: number): number {
  return milliseconds <= 0 ? 0 : Math.max(1, Math.floor(milliseconds / 60_000));
}

/** `22 min`, `1 h 05 min`. */
export function minutesText(minutes: number): string {
  if (minutes < 60) return fill(texts.problems.minutes, { m: minutes });
  const rest = String(minutes % 60).padStart(2, "0");
  return fill(texts.problems.hours, { h: Math.floor(minutes / 60), m: rest });
}
