import { layers, namedFlavor } from "@protomaps/basemaps";
import { addProtocol, type LayerSpecification, setWorkerUrl, type StyleSpecification } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { PMTiles, Protocol, type Source } from "pmtiles";
import type { Topology } from "topojson-specification";
import { feature } from "topojson-client";
import { apiUrl } from "../api/base.ts";
import type { MapConfig, MapStyle, MapStyleName } from "../model/map.ts";
import { withGisToken } from "./gis-token.ts";
import { coloured, type Look, LOOKS } from "./looks.ts";
import { PatientSource } from "./patient-source.ts";

/** Address of the script in which maps are read; it has to be kept by pages that work without a connection. */
export const MAP_WORKER = workerUrl;

const archives = new Protocol();
let prepared = false;

/** Tells MapLibre where its worker is and how to read `pmtiles:` archives; once per page. */
export function prepareMapLibre(): void {
  if (prepared) return;
  prepared = true;
  setWorkerUrl(workerUrl);
  addProtocol("pmtiles", archives.tile);
}

/** Has an archive of tiles read from elsewhere than the network alone. */
export function readArchive(source: Source): PMTiles {
  const archive = new PMTiles(source);
  archives.add(archive);
  return archive;
}

/** Where the archive of a style lies; `null` when its tiles are no archive. */
export function archiveOf(config: MapConfig | undefined, name: MapStyleName): string | null {
  const style = config?.styles.find((candidate) => candidate.name === name) ?? config?.styles[0];
  return style?.kind === "pmtiles" ? archiveAddress(style.url) : null;
}

function archiveAddress(url: string): string {
  return new URL(apiUrl(url), window.location.href).href;
}

/** The MapLibre style for a style name; without configured tiles the outline of the world. */
export async function baseMapStyle(
  config: MapConfig | undefined,
  name: MapStyleName,
  dark: boolean,
): Promise<StyleSpecification | string> {
  const style = config?.styles.find((candidate) => candidate.name === name) ?? config?.styles[0];
  const url = style === undefined ? null : await withGisToken(style.url);
  if (style === undefined || url === null) return worldOutline(dark);
  if (style.kind === "style") return apiUrl(url);
  if (style.kind === "raster") return rasterStyle({ ...style, url });
  const look = LOOKS[name];
  // In the dark mode a light style stays dark, with its own colours.
  return streets({ ...style, url }, dark ? { ...look, flavour: "dark" } : look);
}

function streets(style: MapStyle, look: Look): StyleSpecification {
  const colours = coloured(namedFlavor(look.flavour), look);
  const address = archiveAddress(style.url);
  if (archives.get(address) === undefined) readArchive(new PatientSource(address));
  return {
    version: 8,
    sources: {
      streets: {
        type: "vector",
        url: `pmtiles://${address}`,
        ...(style.attribution === null ? {} : { attribution: style.attribution }),
      },
    },
    // An extract has no coastline: the background is land.
    layers: [
      { id: "land", type: "background", paint: { "background-color": colours.earth } },
      ...layers("streets", colours, { lang: "en" })
        // Without icons, points of interest are only loud text among the jobs.
        .filter((layer) => layer.type !== "background" && layer.id !== "pois")
        .map(withoutIcon),
    ],
  };
}

/** There is no sprite: layers keep their texts and lose their icons. */
function withoutIcon(layer: LayerSpecification): LayerSpecification {
  if (layer.type !== "symbol" || layer.layout?.["icon-image"] === undefined) return layer;
  const layout = Object.entries(layer.layout).filter(([name]) => !name.startsWith("icon-"));
  return { ...layer, layout: Object.fromEntries(layout) };
}

function rasterStyle(style: MapStyle): StyleSpecification {
  return {
    version: 8,
    sources: {
      tiles: {
        type: "raster",
        tiles: [apiUrl(style.url)],
        tileSize: 256,
        ...(style.attribution === null ? {} : { attribution: style.attribution }),
      },
    },
    layers: [{ id: "tiles", type: "raster", source: "tiles" }],
  };
}

async function worldOutline(dark: boolean): Promise<StyleSpecification> {
  const atlas = (await import("world-atlas/countries-50m.json")).default as unknown as Topology;
  const countries = atlas.objects["countries"];
  if (countries === undefined) throw new Error("The world outline holds no countries");
  const colours = dark
    ? { water: "#0f161b", land: "#1c272e", line: "#31414b" }
    : { water: "#e3eaee", land: "#f7f8f6", line: "#c9d2d7" };
  return {
    version: 8,
    sources: { world: { type: "geojson", data: feature(atlas, countries), tolerance: 0.2 } },
    layers: [
      { id: "water", type: "background", paint: { "background-color": colours.water } },
      { id: "land", type: "fill", source: "world", paint: { "fill-color": colours.land } },
      {
        id: "borders",
        type: "line",
        source: "world",
        paint: { "line-color": colours.line, "line-width": 0.8 },
      },
    ],
  };
}
