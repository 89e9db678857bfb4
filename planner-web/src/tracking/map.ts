import "maplibre-gl/dist/maplibre-gl.css";
import type { MapConfig } from "@routewright/web";
import { baseMapStyle, prepareMapLibre } from "@routewright/web/map";
import { LngLatBounds, Map, Marker } from "maplibre-gl";

interface Place {
  lat: number;
  lon: number;
}

/** Draws where the delivery goes and, when it is known, where the vehicle is. */
export async function drawMap(
  element: HTMLElement,
  config: MapConfig,
  place: Place,
  vehicle: Place | null,
): Promise<void> {
  prepareMapLibre();
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const map = new Map({
    container: element,
    style: await baseMapStyle(config, "Streets", dark),
    center: [place.lon, place.lat],
    zoom: 14,
    attributionControl: { compact: true },
  });
  const marker = (at: Place, color: string): Marker =>
    new Marker({ color }).setLngLat([at.lon, at.lat]).addTo(map);
  marker(place, "#0f5f74");
  if (vehicle === null) return;
  marker(vehicle, "#b3261e");
  const both = new LngLatBounds([place.lon, place.lat], [place.lon, place.lat]);
  map.fitBounds(both.extend([vehicle.lon, vehicle.lat]), { padding: 50, maxZoom: 15, animate: false });
}
