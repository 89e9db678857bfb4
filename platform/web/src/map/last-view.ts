import type { Map as LibreMap } from "maplibre-gl";
import { session } from "../session/store.ts";

/** Where the user of this organisation last looked, kept in the browser. */
const key = (): string => `mapView:${session().user?.organisation.id ?? 0}`;

/** Shows what the user last looked at, where there is something, from no nearer than this. */
export function lookWhereLast(map: LibreMap, nearest = Infinity): void {
  const [lng, lat, zoom] = (localStorage.getItem(key()) ?? "").split(",").map(Number);
  if (lng !== undefined && lat !== undefined && zoom !== undefined && !Number.isNaN(lng + lat + zoom)) {
    map.jumpTo({ center: [lng, lat], zoom: Math.min(zoom, nearest) });
  }
}

/** From now on remembers where the user looks. */
export function rememberView(map: LibreMap): void {
  const name = key();
  map.on("moveend", () => {
    const centre = map.getCenter();
    localStorage.setItem(name, [centre.lng, centre.lat, map.getZoom()].map((n) => n.toFixed(6)).join(","));
  });
}
