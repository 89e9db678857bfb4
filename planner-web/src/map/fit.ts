import type { Map as LibreMap } from "maplibre-gl";

type Box = [west: number, south: number, east: number, north: number];

let current: LibreMap | null = null;
/** What a reset of the view shows. */
let home: Box | null = null;
/** What stays in view when the map's room changes, and how near at most; the user's own move ends it. */
let held: { box: Box; maxZoom: number } | null = null;
/** The map looks at the fallback, because nobody has told it a place yet. */
let lost = false;

/** The map on the screen; lists and dialogs move it through this file. */
export function setMap(map: LibreMap | null): void {
  current = map;
  held = null;
  lost = map !== null && isFallback(map.getCenter());
  map?.on("movestart", ({ originalEvent }) => {
    if (originalEvent !== undefined) leave();
  });
  // Panels and the timeline open beside the map after the jobs were shown.
  map?.on("resize", () => {
    if (held !== null) show(held.box, false, held.maxZoom);
  });
}

/** Central Australia: where the map looks before it knows better. */
export const FALLBACK_CENTRE = { lat: -25.2744, lng: 133.7751 };
/** A town around a depot. */
const HOME_ZOOM = 13;
/** Streets, not doors. */
const NEAREST = 15;

/** Where the jobs or the depots are: what "Reset map view" goes back to, and where a map that knows no place looks. */
export function setHome(box: Box | null): void {
  home = box;
  if (lost) holdInView(home, HOME_ZOOM);
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
  leave();
  show(box, animate);
}

/** Shows a box whole at once, and goes on doing so until somebody moves the map. */
export function holdInView(box: Box | null, maxZoom = NEAREST): void {
  if (box === null || current === null) return;
  leave();
  show(box, false, maxZoom);
  held = { box, maxZoom };
}

/** Whether the map still shows what it was told to, untouched. */
export function isHeld(): boolean {
  return held !== null;
}

/** A country's width around a place, for a map that knows nothing better. */
export function lookIfLost(place: { lat: number; lon: number }): void {
  if (lost) current?.jumpTo({ center: [place.lon, place.lat], zoom: 5 });
}

/** Place on the screen, in pixels from the window's left and top, as the map's projection says. */
export function screenPlace(place: { lat: number; lon: number }): { x: number; y: number } | null {
  if (current === null) return null;
  const box = current.getContainer().getBoundingClientRect();
  const { x, y } = current.project([place.lon, place.lat]);
  return { x: x + box.left, y: y + box.top };
}

/** What was shown before counts no longer. */
function leave(): void {
  held = null;
  lost = false;
}

function show(box: Box | null, animate: boolean, maxZoom = NEAREST): void {
  if (box === null || current === null) return;
  current.fitBounds(box, { padding: 60, maxZoom, animate, duration: 500 });
}

export function flyTo(place: { lat: number; lon: number }, zoom?: number): void {
  leave();
  current?.easeTo({ center: [place.lon, place.lat], ...(zoom === undefined ? {} : { zoom }), duration: 400 });
}

export function zoomBy(steps: number): void {
  if (current === null) return;
  leave();
  current.easeTo({ zoom: current.getZoom() + steps, duration: 200 });
}
