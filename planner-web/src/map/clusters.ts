/** How jobs are drawn together on the map. */
export interface Clusters {
  /** Pixels. */
  clusterRadius: number;
  /** The last zoom level at which jobs are drawn together. */
  clusterMaxZoom: number;
}

/** Up to this zoom the whole of a town is seen: jobs are gathered as far as the setting says. */
export const TOWN_ZOOM = 11;
/** From here on jobs that still lie on one another have one place. */
export const NEAREST_ZOOM = 18;

/**
 * From afar, all jobs within the radius of the setting are one. Nearby each stop counts, and only dots that would hide one
 * another are one, however far somebody zooms in.
 */
export function clustersAt(zoom: number, setting: number, dot: number): Clusters {
  if (zoom < TOWN_ZOOM + 1) return { clusterRadius: setting, clusterMaxZoom: TOWN_ZOOM };
  return { clusterRadius: Math.min(setting, Math.ceil(dot * 1.5)), clusterMaxZoom: NEAREST_ZOOM };
}

interface Placed {
  id: number;
  location: { lat: number; lon: number };
}

/** Pixels to the right and down by which a marker is moved off its place. */
export interface Shift {
  x: number;
  y: number;
}

/** Room that a marker takes on the ring, pixels. */
const ROOM = 32;

/** Where markers of one place go: on a ring around it, so that each can be seen and taken. Others stay where they are. */
export function spread(items: readonly Placed[]): Map<number, Shift> {
  const places = new Map<string, Placed[]>();
  for (const item of items) {
    const place = `${item.location.lat.toFixed(4)},${item.location.lon.toFixed(4)}`;
    const there = places.get(place);
    if (there === undefined) places.set(place, [item]);
    else there.push(item);
  }
  const shifts = new Map<number, Shift>();
  for (const there of places.values()) {
    if (there.length < 2) continue;
    const radius = Math.max(22, (there.length * ROOM) / (2 * Math.PI));
    there.forEach(({ id }, index) => {
      const angle = (2 * Math.PI * index) / there.length - Math.PI / 2;
      shifts.set(id, { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) });
    });
  }
  return shifts;
}
