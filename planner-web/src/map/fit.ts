import type { Map as LibreMap } from "maplibre-gl";

type Box = [west: number, south: number, east: number, north: number];

let current: LibreMap | null = null;
/** What a reset of the view shows. */
let home: Box | null = null;
/** What stays in view when the map's room changes; the user's own move ends it. */
let held: Box | null = null;

/** The map on the screen; lists and dialogs move it through this file. */
export function setMap(map: LibreMap | null): void {
  current = map;
  held = null;
  map?.on("movestart", ({ originalEvent }) => {
    if (originalEvent !== undefined) held = null;
  });
  // Panels and the timeline open beside the map after the jobs were shown.
  map?.on("resize", () => show(held, false));
}

/** Central Australia: where the map looks before it knows better. */
export const FALLBACK_CENTRE = { lat: -25.2744, lng: 133.7751 };
/** A town around a depot. */
const HOME_ZOOM = 12;

/** Where the jobs or the depots are: what "Reset map view" goes back to, and where a map that knows no place looks. */
export function setHome(box: Box | null): void {
  home = box;
  if (current !== null && isFallback(current.getCenter())) show(home, false, HOME_ZOOM);
}

function isFallback({ lat, lng }: { lat: number; lng: number }): boolean {
  return Math.abs(lat - FALLBACK_CENTRE.lat) < 0.01 && Math.abs(lng - FALLBACK_CENTRE.lng) < 0.01;
}

/** Back to the jobs, else the depots, else the fallback. */
export function resetMapView(): void {
  if (home !== null) fitMap(home);
  else flyTo({ lat: FALLBACK_CENTRE.lat, lon: FALLBACK_CENTRE.lng }, 3);
}

/** Shows a box (west, south, east, north) whole. */
export function fitMap(box: Box | null, animate = true): void {
  held = null;
  show(box, animate);
}

/** Shows a box whole at once, and goes on doing so until somebody moves the map. */
export function holdInView(box: Box | null): void {
  show(box, false);
  held = box;
}

function show(box: Box | null, animate: boolean, maxZoom = 15): void {
  if (box === null || current === null) return;
  current.fitBounds(box, { padding: 60, maxZoom, animate, duration: 500 });
}

export function flyTo(place: { lat: number; lon: number }, zoom?: number): void {
  held = null;
  current?.easeTo({ center: [place.lon, place.lat], ...(zoom === undefined ? {} : { zoom }), duration: 400 });
}

export function zoomBy(steps: number): void {
  if (current === null) return;
  held = null;
  current.easeTo({ zoom: current.getZoom() + steps, duration: 200 });
}
