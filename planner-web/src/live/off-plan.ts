import polyline from "@mapbox/polyline";
import { fill, type Run, texts } from "@routewright/web";
import { isStraight } from "../plan/StraightLines.tsx";
import { BACK_ON_WAY, OFF_WAY, OFF_WAY_POSITIONS, STALE, STRAIGHT_ALLOWS } from "../road/bounds.ts";
import { metresToWay, type Spot } from "../road/geo.ts";
import { type Driven, type Finding, metresText } from "./model.ts";

/** A later stop has its proof, an earlier one is open, and the vehicle was not seen there. */
export function outOfOrder({ stops, open, run }: Driven, seen: readonly Finding[]): Finding | null {
  if (run.actual_end_time !== null) return null;
  const lastMade = stops.findLast(({ visited }) => visited);
  const skipped = open.find((job) => (job.seq ?? 0) < (lastMade?.seq ?? 0));
  if (skipped === undefined || lastMade === undefined) return null;
  if (seen.some(({ job }) => job?.id === skipped.id)) return null;
  const text = fill(texts.live.outOfOrder, { later: lastMade.uid, uid: skipped.uid });
  return { severity: "warning", text, job: skipped, which: "order" };
}

/** The newest positions are all far from the planned way; told until the vehicle is clearly back on it. */
export function offWay({ run, stops, open, on, now, terms }: Driven, was: boolean): Finding | null {
  if (run.actual_start_time === null || run.actual_end_time !== null || open.length === 0) return null;
  const newest = on.track.slice(-OFF_WAY_POSITIONS);
  const last = newest.at(-1);
  if (last === undefined || newest.length < OFF_WAY_POSITIONS) return null;
  if (now - Date.parse(last.recorded_at) > STALE) return null;
  const way = wayOf(run);
  // Without a way its places are all that is known.
  const places = stops.map(({ location }) => location);
  const bound = (was ? BACK_ON_WAY : OFF_WAY) * (isStraight(run) || way.length === 0 ? STRAIGHT_ALLOWS : 1);
  const metres = newest.map((point) => metresToWay(point, way.length === 0 ? places : way));
  const least = Math.min(...metres);
  if (!Number.isFinite(least) || least <= bound) return null;
  const text = fill(texts.live.offWay, { distance: metresText(metres.at(-1) ?? least, terms) });
  return { severity: "warning", text, which: "way" };
}

const ways = new WeakMap<object, readonly Spot[]>();

/** The planned way with its start and end. */
function wayOf({ route }: Run): readonly Spot[] {
  if (route == null) return [];
  let way = ways.get(route);
  if (way === undefined) {
    way = route.legs.flatMap(({ geometry }) => polyline.decode(geometry).map(([lat, lon]) => ({ lat, lon })));
    ways.set(route, way);
  }
  return way;
}
