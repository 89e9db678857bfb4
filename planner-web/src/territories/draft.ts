import {
  ROUTE_PALETTE,
  type Territory,
  type TerritoryGeometry,
  type TerritoryGroup,
  texts,
} from "@routewright/web";

/** A territory as its form holds it. */
export interface TerritoryDraft {
  /** `null`: not stored yet. */
  id: number | null;
  name: string;
  uid: string;
  colour: string;
  driverIds: number[];
  groupIds: number[];
  geometry: TerritoryGeometry | null;
}

export function newDraft(count: number): TerritoryDraft {
  const colour = ROUTE_PALETTE[count % ROUTE_PALETTE.length] ?? ROUTE_PALETTE[0];
  return { id: null, name: "", uid: "", colour, driverIds: [], groupIds: [], geometry: null };
}

export function draftOf(territory: Territory, groups: readonly TerritoryGroup[]): TerritoryDraft {
  return {
    id: territory.id,
    name: territory.name,
    uid: territory.uid ?? "",
    colour: territory.colour ?? ROUTE_PALETTE[2],
    driverIds: territory.driver_ids,
    groupIds: groups
      .filter(({ territories }) => territories.some(({ id }) => id === territory.id))
      .map(({ id }) => id),
    geometry: territory.geometry,
  };
}

/** What is missing, by field. */
export function draftProblems({ name, geometry }: TerritoryDraft): { name?: string; corners?: string } {
  return {
    ...(name.trim() === "" ? { name: texts.checks.required } : {}),
    ...(geometry === null ? { corners: texts.territories.drawFirst } : {}),
  };
}
