/** Degrees (WGS84). */
export interface Spot {
  lat: number;
  lon: number;
}

/** Metres of a degree of latitude. */
const DEGREE = 111_195;

/** Metres east and north of a place; exact enough within a day's drive. */
function offset(from: Spot, to: Spot): { x: number; y: number } {
  const shrink = Math.cos((((from.lat + to.lat) / 2) * Math.PI) / 180);
  return { x: (to.lon - from.lon) * DEGREE * shrink, y: (to.lat - from.lat) * DEGREE };
}

/** Metres between two places. */
export function metresBetween(a: Spot, b: Spot): number {
  const { x, y } = offset(a, b);
  return Math.hypot(x, y);
}

/** Metres from a place to the nearest part of a way; infinite without one. */
export function metresToWay(place: Spot, way: readonly Spot[]): number {
  let least = way[0] === undefined ? Infinity : metresBetween(place, way[0]);
  for (let at = 1; at < way.length; at += 1) {
    least = Math.min(least, metresToPart(place, way[at - 1] as Spot, way[at] as Spot));
  }
  return least;
}

function metresToPart(place: Spot, from: Spot, to: Spot): number {
  const a = offset(place, from);
  const b = offset(place, to);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(a.x * dx + a.y * dy) / length));
  return Math.hypot(a.x + share * dx, a.y + share * dy);
}
