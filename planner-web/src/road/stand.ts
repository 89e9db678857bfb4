import type { GpsPoint } from "@routewright/web";
import { STALE, STANDS_WITHIN } from "./bounds.ts";
import { metresBetween, type Spot } from "./geo.ts";

/** Where a vehicle stands; milliseconds. */
export interface Stand {
  place: Spot;
  since: number;
  /** Until when this is known: now, or the last position where that is old. */
  until: number;
}

type Point = Pick<GpsPoint, "lat" | "lon" | "recorded_at">;

/**
 * Where the vehicle stands by its positions (in their order), from the first of those that lie together; `null` while it
 * moves. One position elsewhere is a fault of the device, two in a row are a way.
 */
export function standOf(points: readonly Point[], now: number): Stand | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const place = middleOf(points.slice(-3));
  let since = 0;
  let together = 0;
  let away = 0;
  for (let at = points.length - 1; at >= 0 && away < 2; at -= 1) {
    const point = points[at] as Point;
    if (metresBetween(point, place) > STANDS_WITHIN) {
      away += 1;
      continue;
    }
    away = 0;
    together += 1;
    since = Date.parse(point.recorded_at);
  }
  if (together < 2) return null;
  const seen = Date.parse(last.recorded_at);
  return { place, since, until: now - seen > STALE ? seen : now };
}

/** The median place, which one wrong position among three does not move. */
function middleOf(points: readonly Spot[]): Spot {
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  return { lat: middle(points.map(({ lat }) => lat)), lon: middle(points.map(({ lon }) => lon)) };
}
