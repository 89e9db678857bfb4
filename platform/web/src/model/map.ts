import type { Schemas } from "./schemas.ts";
export type MapStyleName =
  | "Tarot"
  | "Basic"
  | "Streets"
  | "Hybrid"
  | "Bright"
  | "Outdoor"
  | "Toner"
  | "Topo"
  | "Topographique"
  | "Voyager"
  | "Dark";

export const MAP_STYLE_NAMES: readonly MapStyleName[] = [
  "Tarot",
  "Basic",
  "Streets",
  "Hybrid",
  "Bright",
  "Outdoor",
  "Toner",
  "Topo",
  "Topographique",
  "Voyager",
  "Dark",
];

/** Where a map style's tiles come from. */
export type MapStyle = Schemas["MapStyle"];

/** Answer of `GET /map/config`. */
export type MapConfig = Schemas["MapConfig"];
