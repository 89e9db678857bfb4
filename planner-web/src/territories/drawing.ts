import type { TerritoryGeometry } from "@routewright/web";
import type { Map as LibreMap } from "maplibre-gl";
import {
  TerraDraw,
  TerraDrawLineStringMode,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
  ValidateNotSelfIntersecting,
} from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import { geometryOf, partsOf, type Position, type Ring } from "./geometry.ts";

export type Tool =
  | { kind: "none" }
  | { kind: "draw"; onDrawn: (geometry: TerritoryGeometry) => void }
  | { kind: "edit"; geometry: TerritoryGeometry; onChange: (geometry: TerritoryGeometry) => void }
  | { kind: "split"; onLine: (from: Position, to: Position) => void };

const ACCENT = "#d9480f";

/** Draws, edits and splits on the map with one tool at a time. Survives changes of the base map. */
export class Drawing {
  readonly #map: LibreMap;
  #draw: TerraDraw | null = null;
  #tool: Tool = { kind: "none" };
  /** Holes by feature: the editor works on outlines. */
  #holes = new Map<string | number, Ring[]>();
  readonly #again = (): void => this.take(this.#current());

  constructor(map: LibreMap) {
    this.#map = map;
    map.on("style.load", this.#again);
  }

  /** Puts the last tool down and takes this one. */
  take(tool: Tool): void {
    this.#stop();
    this.#tool = tool;
    if (tool.kind === "none") return;
    const draw = this.#start();
    if (draw === null) return;
    if (tool.kind === "draw") {
      draw.on("finish", (id, { action }) => {
        const [part] = action === "draw" ? this.#parts().slice(-1) : [];
        if (part !== undefined && draw.hasFeature(id)) queueMicrotask(() => tool.onDrawn(geometryOf([part])));
      });
      draw.setMode("polygon");
    }
    if (tool.kind === "edit") this.#edit(draw, tool);
    if (tool.kind === "split") {
      draw.on("finish", (id) => {
        const line = draw.getSnapshotFeature(id)?.geometry;
        if (line?.type !== "LineString") return;
        const [from, to] = [line.coordinates[0], line.coordinates.at(-1)];
        if (from === undefined || to === undefined) return;
        queueMicrotask(() => tool.onLine([from[0] ?? 0, from[1] ?? 0], [to[0] ?? 0, to[1] ?? 0]));
      });
      draw.setMode("linestring");
    }
  }

  remove(): void {
    this.#map.off("style.load", this.#again);
    this.#stop();
  }

  #edit(draw: TerraDraw, tool: Extract<Tool, { kind: "edit" }>): void {
    for (const [outer = [], ...holes] of partsOf(tool.geometry)) {
      const id = draw.getFeatureId();
      draw.addFeatures([
        {
          id,
          type: "Feature",
          geometry: { type: "Polygon", coordinates: [outer] },
          properties: { mode: "polygon" },
        },
      ]);
      if (holes.length > 0) this.#holes.set(id, holes);
    }
    draw.on("finish", () => {
      const parts = this.#parts();
      if (parts.length > 0) tool.onChange(geometryOf(parts));
    });
    draw.setMode("select");
    const [first] = draw.getSnapshot();
    if (first?.id !== undefined) draw.selectFeature(first.id);
  }

  #start(): TerraDraw | null {
    const draw = new TerraDraw({
      adapter: new TerraDrawMapLibreGLAdapter({ map: this.#map, coordinatePrecision: 9 }),
      modes: [
        new TerraDrawPolygonMode({
          styles: { fillColor: ACCENT, outlineColor: ACCENT, fillOpacity: 0.2, outlineWidth: 2 },
          validation: valid,
        }),
        new TerraDrawLineStringMode({
          finishOnNthCoordinate: 2,
          styles: { lineStringColor: ACCENT, lineStringWidth: 3 },
        }),
        new TerraDrawSelectMode({
          flags: {
            polygon: {
              feature: {
                draggable: false,
                coordinates: { midpoints: true, draggable: true, deletable: true },
                validation: valid,
              },
            },
          },
          styles: {
            selectedPolygonColor: ACCENT,
            selectedPolygonOutlineColor: ACCENT,
            selectedPolygonFillOpacity: 0.2,
            selectionPointColor: ACCENT,
            midPointColor: "#ffffff",
            midPointOutlineColor: ACCENT,
          },
        }),
      ],
    });
    try {
      draw.start();
    } catch {
      // The style is not there yet; its `style.load` takes the tool again.
      return null;
    }
    this.#draw = draw;
    return draw;
  }

  #stop(): void {
    const draw = this.#draw;
    this.#draw = null;
    this.#holes.clear();
    if (draw === null) return;
    try {
      draw.stop();
    } catch {
      // A new base map has already taken the layers away.
    }
  }

  /** The outlines on the map with their holes. */
  #parts(): Ring[][] {
    const features = this.#draw?.getSnapshot() ?? [];
    return features.flatMap(({ id, geometry, properties }) => {
      if (geometry.type !== "Polygon" || properties["mode"] !== "polygon") return [];
      const outer = (geometry.coordinates[0] ?? []).map(([lon = 0, lat = 0]): Position => [lon, lat]);
      return [[outer, ...(id === undefined ? [] : (this.#holes.get(id) ?? []))]];
    });
  }

  /** The tool with what was edited so far, for a new base map. */
  #current(): Tool {
    const parts = this.#tool.kind === "edit" ? this.#parts() : [];
    return this.#tool.kind === "edit" && parts.length > 0
      ? { ...this.#tool, geometry: geometryOf(parts) }
      : this.#tool;
  }
}

function valid(
  feature: Parameters<typeof ValidateNotSelfIntersecting>[0],
  { updateType }: { updateType: string },
): ReturnType<typeof ValidateNotSelfIntersecting> {
  // While a corner is under way lines may cross; what is finished may not.
  return updateType === "finish" || updateType === "commit"
    ? ValidateNotSelfIntersecting(feature)
    : { valid: true };
}
