import type { Place } from "../model/common.ts";

/** An address that was typed and for which no place was chosen: it has no coordinates yet. */
export function unplaced(address: string): Place {
  return { address, lat: Number.NaN, lon: Number.NaN };
}

export function isPlaced(place: Place): boolean {
  return Number.isFinite(place.lat) && Number.isFinite(place.lon);
}

/** The place of a text such as `41.15, -8.61`; `null` when it is not one. */
export function typedPlace(text: string): Place | null {
  const match = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  if (match === null) return null;
  const lat = Number(match[1]);
  const lon = Number(match[2]);
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return null;
  return { address: `${lat}, ${lon}`, lat, lon };
}
