import { clockText, fill, type Job, texts } from "@routewright/web";
import { windowEnd } from "../plan/lateness.ts";
import { AT_STOP, MOVED_ON, VISIT } from "../road/bounds.ts";
import { metresBetween } from "../road/geo.ts";
import type { Driven, Finding } from "./model.ts";

/** Stops that the vehicle has left, or whose run has ended, without a proof. */
export function leftWithout(driven: Driven): Finding[] {
  const { run, open, contact, terms } = driven;
  const ended = run.actual_end_time;
  if (run.actual_start_time === null && ended === null) return [];
  const visits = ended === null ? visitsOf(driven) : null;
  return open.flatMap((job) => {
    const left = visits === null ? Date.parse(ended ?? "") : visits.get(job.id);
    if (left === undefined) return [];
    const words = { at: clockText(new Date(left).toISOString(), terms.zone) };
    const text = fill(ended === null ? texts.live.leftWithout : texts.live.endedWithout, words);
    const waiting = contact?.waiting ?? 0;
    return {
      // What waits on the phone will come.
      severity: ended === null || waiting > 0 ? "warning" : "error",
      text: waiting === 0 ? text : `${text} · ${fill(texts.contact.waiting, { n: waiting })}`,
      job,
      breaksAt: windowEnd(job, run) ?? left,
    };
  });
}

/** When the vehicle left each open stop where it was long enough and from where it is gone since (milliseconds). */
function visitsOf({ stops, open, on, run }: Driven): Map<number, number> {
  const left = new Map<number, number>();
  const last = on.track.at(-1);
  if (last === undefined) return left;
  let at: { job: Job; from: number; to: number } | null = null;
  const close = (): void => {
    if (at !== null && at.to - at.from >= VISIT && open.includes(at.job)) left.set(at.job.id, at.to);
    at = null;
  };
  const started = Date.parse(run.actual_start_time ?? "");
  for (const point of on.track) {
    const time = Date.parse(point.recorded_at);
    if (time < started) continue;
    const job = nearest(stops, point);
    if (job === undefined) close();
    else if (at !== null && at.job === job) at.to = time;
    else {
      close();
      at = { job, from: time, to: time };
    }
  }
  // Where it still is, it has not left.
  for (const job of open) if (metresBetween(job.location, last) <= MOVED_ON) left.delete(job.id);
  return left;
}

/** The stop where a place belongs: neighbours are told apart by who is nearer. */
function nearest(stops: readonly Job[], place: { lat: number; lon: number }): Job | undefined {
  let best: Job | undefined;
  let least = AT_STOP;
  for (const job of stops) {
    const metres = metresBetween(job.location, place);
    if (metres > least) continue;
    least = metres;
    best = job;
  }
  return best;
}
