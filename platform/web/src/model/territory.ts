import type { Stored } from "./common.ts";

/** GeoJSON geometry, lon/lat. */
export type TerritoryGeometry =
  { type: "Polygon"; coordinates: number[][][] } | { type: "MultiPolygon"; coordinates: number[][][][] };

export interface Territory extends Stored {
  name: string;
  uid: string | null;
  geometry: TerritoryGeometry;
  colour: string | null;
  driver_ids: number[];
  organisation_id: number;
}

export interface TerritoryGroup extends Stored {
  name: string;
  /** Outer rings, lon/lat. */
  coordinates: number[][][];
  territories: { id: number; name: string }[];
  colour: string | null;
}
