import polyline from "@mapbox/polyline";
import type { Runsheet } from "@routewright/web";
import { archiveOf, KeptSource, MAP_WORKER, readArchive } from "@routewright/web/map";
import { CACHE_OF_MAPS, placesOf, tilesOf } from "./run-places.ts";

/** From the town to the street; nearer views are drawn from the last of them. */
const ZOOMS = [10, 11, 12, 13, 14, 15];
const MOST_TILES = 300;

/** Fetches the part of maps that the browser otherwise asks for when one is shown, which may be on the road. */
export async function fetchMapWorker(): Promise<void> {
  await fetch(MAP_WORKER);
}

/** The tiles that run sheets are drawn with, of which the phone keeps what was read; `null` when they are no archive. */
export function keptArchive(config: Runsheet["map"]): ReturnType<typeof readArchive> | null {
  const address = archiveOf(config, "Streets");
  return address === null ? null : readArchive(new KeptSource(address, CACHE_OF_MAPS));
}

/** Brings the tiles around this run onto the phone, before the road leads out of reach. */
export async function keepTiles(sheet: Runsheet): Promise<void> {
  const archive = keptArchive(sheet.map);
  if (archive === null) return;
  const { minZoom, maxZoom } = await archive.getHeader();
  const zooms = ZOOMS.filter((zoom) => zoom >= minZoom && zoom <= maxZoom);
  const way = (sheet.run.route?.legs ?? []).flatMap(({ geometry }) =>
    polyline.decode(geometry).map(([lat, lon]) => ({ lat, lon })),
  );
  for (const [zoom, column, row] of tilesOf([...placesOf(sheet), ...way], zooms, MOST_TILES)) {
    await archive.getZxy(zoom, column, row);
  }
}
