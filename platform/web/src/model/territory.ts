import type { Refined, Schemas } from "./schemas.ts";

/** GeoJSON geometry, lon/lat. */
export type TerritoryGeometry =
  { type: "Polygon"; coordinates: number[][][] } | { type: "MultiPolygon"; coordinates: number[][][][] };

export type Territory = Refined<
  Schemas["Territory"],
  {
    geometry: TerritoryGeometry;
  }
>;

export type TerritoryGroup = Schemas["TerritoryGroup"];
