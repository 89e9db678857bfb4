import type { TerritoryGeometry } from "@routewright/web";
import { fill, texts } from "@routewright/web";
import { difference, type Geom, intersection } from "polyclip-ts";

/** Longitude and latitude in degrees WGS84. */
export type Position = [number, number];
export type Ring = Position[];

const MOST_CORNERS = 2_000;
/** Six decimals are a tenth of a metre. */
const DECIMALS = 6;

/** Parts of a geometry, each an outer ring followed by its holes; rings are closed. */
export function partsOf(geometry: TerritoryGeometry): Ring[][] {
  const parts = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return parts.map((rings) => rings.map((ring) => ring.map(([lon = 0, lat = 0]): Position => [lon, lat])));
}

/** The geometry of parts: one is a Polygon, several are a MultiPolygon. */
export function geometryOf(parts: readonly Ring[][]): TerritoryGeometry {
  const rounded = parts.map((rings) => rings.map((ring) => ring.map(round)));
  const [only] = rounded;
  return rounded.length === 1 && only !== undefined
    ? { type: "Polygon", coordinates: only }
    : { type: "MultiPolygon", coordinates: rounded };
}

function round([lon, lat]: Position): Position {
  const factor = 10 ** DECIMALS;
  return [Math.round(lon * factor) / factor, Math.round(lat * factor) / factor];
}

/** Corners as text: `lat, lon` per line, rings apart by an empty line; a ring after the first of a part is a hole. */
export function cornersText(geometry: TerritoryGeometry | null): string {
  if (geometry === null) return "";
  return partsOf(geometry)
    .map((rings) =>
      rings
        .map((ring, index) => {
          const lines = ring.slice(0, -1).map(([lon, lat]) => `${lat}, ${lon}`);
          return [...(index > 0 ? ["hole"] : []), ...lines].join("\n");
        })
        .join("\n\n"),
    )
    .join("\n\n");
}

export type ParsedCorners = { geometry: TerritoryGeometry } | { problem: string };

/** Reads what `cornersText` writes, or what a person typed in its place. */
export function parseCorners(text: string): ParsedCorners {
  const parts: Ring[][] = [];
  let ring: Ring | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    if (trimmed === "") {
      ring = null;
      continue;
    }
    if (trimmed.toLowerCase() === "hole" && ring === null && parts.length > 0) {
      ring = [];
      parts.at(-1)?.push(ring);
      continue;
    }
    const position = positionOf(trimmed);
    if (position === null) return { problem: fill(texts.territories.badCorner, { n: index + 1 }) };
    if (Math.abs(position[0]) > 180 || Math.abs(position[1]) > 90) {
      return { problem: fill(texts.territories.outside, { n: index + 1 }) };
    }
    if (ring === null) {
      ring = [];
      parts.push([ring]);
    }
    ring.push(position);
  }
  const rings = parts.flat();
  if (rings.length === 0 || rings.some(({ length }) => length < 3)) {
    return { problem: texts.territories.tooFewCorners };
  }
  if (rings.reduce((sum, { length }) => sum + length + 1, 0) > MOST_CORNERS) {
    return { problem: texts.territories.tooManyCorners };
  }
  return { geometry: geometryOf(parts.map((part) => part.map(closed))) };
}

function positionOf(line: string): Position | null {
  const match = /^(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)$/.exec(line);
  return match === null ? null : [Number(match[2]), Number(match[1])];
}

function closed(ring: Ring): Ring {
  const [first] = ring;
  const last = ring.at(-1);
  if (first === undefined || last === undefined) return ring;
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, [...first]];
}

/** Whether a place lies in a territory; its border belongs to it. */
export function contains(geometry: TerritoryGeometry, { lat, lon }: { lat: number; lon: number }): boolean {
  return partsOf(geometry).some(([outer = [], ...holes]) => {
    if (onRing(outer, lon, lat)) return true;
    if (!inRing(outer, lon, lat)) return false;
    return holes.every((hole) => onRing(hole, lon, lat) || !inRing(hole, lon, lat));
  });
}

/** Even-odd rule: a ray to the east crosses the ring an odd number of times. */
function inRing(ring: Ring, x: number, y: number): boolean {
  let inside = false;
  for (const [[x1, y1], [x2, y2]] of edges(ring)) {
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

function onRing(ring: Ring, x: number, y: number): boolean {
  return edges(ring).some(([[x1, y1], [x2, y2]]) => {
    const cross = (x - x1) * (y2 - y1) - (y - y1) * (x2 - x1);
    const within =
      x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
    return within && Math.abs(cross) < 1e-12;
  });
}

function edges(ring: Ring): [Position, Position][] {
  return ring.slice(1).flatMap((to, index): [Position, Position][] => {
    const from = ring[index];
    return from === undefined ? [] : [[from, to]];
  });
}

/** Cuts a territory along the straight line through two places; `null` when the line leaves it whole. */
export function splitGeometry(
  geometry: TerritoryGeometry,
  from: Position,
  to: Position,
): [TerritoryGeometry, TerritoryGeometry] | null {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length === 0) return null;
  // Half of the world on one side of the line, larger than any territory.
  const [along, across]: [Position, Position] = [
    [((to[0] - from[0]) / length) * 720, ((to[1] - from[1]) / length) * 720],
    [(-(to[1] - from[1]) / length) * 720, ((to[0] - from[0]) / length) * 720],
  ];
  const near: Position = [from[0] - along[0], from[1] - along[1]];
  const far: Position = [from[0] + along[0], from[1] + along[1]];
  const half: Geom = [
    [near, far, [far[0] + across[0], far[1] + across[1]], [near[0] + across[0], near[1] + across[1]], near],
  ];
  const whole: Geom = partsOf(geometry);
  const [left, right] = [intersection(whole, half), difference(whole, half)];
  if (left.length === 0 || right.length === 0) return null;
  return [geometryOf(left), geometryOf(right)];
}
