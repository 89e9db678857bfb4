import type { Job, Place } from "@routewright/web";

/** Metres within which two addresses are taken for one place. */
const SAME_PLACE = 25;
const METRES_PER_DEGREE = 111_320;

export interface MergeGroup {
  destination_id: number;
  source_ids: number[];
}

function metres(one: Place, other: Place): number {
  const north = (one.lat - other.lat) * METRES_PER_DEGREE;
  const east = (one.lon - other.lon) * METRES_PER_DEGREE * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(north, east);
}

/** Jobs of one place together, in the order in which they come; who is alone at a place is left out. */
export function groupsOfPlaces(jobs: readonly Job[]): Job[][] {
  const groups: [Job, ...Job[]][] = [];
  for (const job of jobs) {
    const found = groups.find(([first]) => metres(first.location, job.location) <= SAME_PLACE);
    if (found === undefined) groups.push([job]);
    else found.push(job);
  }
  return groups.filter((group) => group.length > 1);
}

/** What is sent: the first of a group keeps, the others are merged into it. */
export function mergeGroups(groups: readonly (readonly Job[])[]): MergeGroup[] {
  return groups.flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ destination_id: first.id, source_ids: others.map(({ id }) => id) }],
  );
}
