import { clockText, fill, texts } from "@routewright/web";
import { minutesText, timeOnDay, windowStart } from "../plan/lateness.ts";
import { AT_STOP, LONG_STOP } from "../road/bounds.ts";
import { metresBetween } from "../road/geo.ts";
import type { Driven, Finding } from "./model.ts";

const MINUTE = 60_000;

/**
 * The vehicle stands longer than its service, its break and the waiting for a window take. What it has made a proof of
 * meanwhile counts from that proof on.
 */
export function longStop({ run, stops, open, on, now, terms }: Driven): Finding | null {
  const { stand } = on;
  if (stand === null || open.length === 0) return null;
  const here = open.find(({ location }) => metresBetween(stand.place, location) <= AT_STOP);
  const proofs = stops.flatMap(({ proof_time: time }) => (time === null ? [] : [Date.parse(time)]));
  const opens = here === undefined ? null : windowStart(here, run);
  const since = Math.max(stand.since, ...proofs, opens ?? -Infinity);
  const pause = breakWithin(since, stand.until, run, terms.zone);
  const allowed = (here === undefined ? 0 : here.duration * MINUTE) + pause;
  const stood = stand.until - since;
  if (stood <= allowed + LONG_STOP) return null;
  // Where it is by now nobody knows.
  const seen = stand.until < now;
  const words = {
    at: clockText(new Date(stand.until).toISOString(), terms.zone),
    time: minutesText(Math.floor(stood / MINUTE)),
    planned: minutesText(here?.duration ?? 0),
  };
  const { stoodAtStop, stoodBetween, standsAtStop, standsBetween } = texts.live;
  const [atStop, between] = seen ? [stoodAtStop, stoodBetween] : [standsAtStop, standsBetween];
  const text = here === undefined ? between : atStop;
  return { severity: "warning", text: fill(text, words), job: here };
}

/** Milliseconds of the run's break, where the vehicle stands while it may be taken. */
function breakWithin(from: number, to: number, run: Driven["run"], zone: string): number {
  const length = run.lunch_duration * MINUTE;
  const begins = run.lunch_time === null ? -Infinity : (timeOnDay(run, run.lunch_time, zone) ?? -Infinity);
  const latest = run.lunch_latest_start ?? run.lunch_time;
  const ends = latest === null ? Infinity : (timeOnDay(run, latest, zone) ?? Infinity) + length;
  return length > 0 && from < ends && to > begins ? length : 0;
}
