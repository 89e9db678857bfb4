import type { Runsheet } from "@routewright/web";

/** The browser's cache in which parts of maps stay on the phone. */
export const CACHE_OF_MAPS = "maps-of-runs-1";

export interface Place {
  lat: number;
  lon: number;
}

/** Where the run begins, stops and ends. */
export function placesOf({ run, jobs }: Pick<Runsheet, "run" | "jobs">): Place[] {
  const places = [run.start_location, ...jobs.map(({ location }) => location), run.end_location];
  return places.filter((place) => place !== null);
}

/** A tile of a map by zoom, column and row. */
export type Tile = readonly [zoom: number, column: number, row: number];

/** Tiles that show these places from the whole run down to the door; the nearest views last, and no more than `most`. */
export function tilesOf(places: readonly Place[], zooms: readonly number[], most: number): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const zoom of zooms) {
    for (const place of places) {
      const tile = tileAt(place, zoom);
      tiles.set(tile.join("/"), tile);
    }
  }
  return [...tiles.values()].slice(0, most);
}

/** Web Mercator. */
function tileAt({ lat, lon }: Place, zoom: number): Tile {
  const size = 2 ** zoom;
  const within = (value: number): number => Math.min(size - 1, Math.max(0, Math.floor(value)));
  const angle = (lat * Math.PI) / 180;
  const row = (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2;
  return [zoom, within(((lon + 180) / 360) * size), within(row * size)];
}
