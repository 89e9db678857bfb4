import type { Map as LibreMap } from "maplibre-gl";

let current: LibreMap | null = null;

/** The map on the screen; lists and dialogs move it through this file. */
export function setMap(map: LibreMap | null): void {
  current = map;
}

/** Central Australia: where the map looks before it knows better. */
export const FALLBACK_CENTRE = { lat: -25.2744, lng: 133.7751 };

/** Shows a box (west, south, east, north) whole. */
export function fitMap(box: [number, number, number, number] | null, animate = true): void {
  if (box === null || current === null) return;
  current.fitBounds(box, { padding: 60, maxZoom: 15, animate, duration: 500 });
}

export function flyTo(place: { lat: number; lon: number }, zoom?: number): void {
  current?.easeTo({ center: [place.lon, place.lat], ...(zoom === undefined ? {} : { zoom }), duration: 400 });
}

export function zoomBy(steps: number): void {
  if (current === null) return;
  current.easeTo({ zoom: current.getZoom() + steps, duration: 200 });
}
