import { clockText, fill, type GpsPoint, texts } from "@routewright/web";
import { minutesText } from "../plan/lateness.ts";
import { STALE } from "./bounds.ts";
import type { Expected } from "./expected.ts";

/** `10:34 (10:20–10:48)`: when a stop is expected, and between which times in 8 of 10 cases. */
export function expectedText({ at, from, to }: Expected, zone: string | null): string {
  const clock = (time: number): string => clockText(new Date(time).toISOString(), zone);
  return from === to
    ? clock(at)
    : fill(texts.live.range, { at: clock(at), from: clock(from), to: clock(to) });
}

/** `position 14 min old`; empty while it tells where the vehicle is (`now` in milliseconds). */
export function staleText(point: Pick<GpsPoint, "recorded_at"> | undefined, now: number): string {
  const age = point === undefined ? 0 : now - Date.parse(point.recorded_at);
  return age <= STALE ? "" : fill(texts.live.stale, { time: minutesText(Math.floor(age / 60_000)) });
}
