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
export interface MapStyle {
  name: string;
  /** `pmtiles`: one archive of Protomaps layers; `style`: a MapLibre style; `raster`: an XYZ template. */
  kind: string;
  url: string;
  attribution: string | null;
}

/** Answer of `GET /map/config`. */
export interface MapConfig {
  styles: MapStyle[];
  google_key: string | null;
}
