import type { Feature, FeatureCollection } from "geojson";
import { changeOf } from "./feature-change.ts";
import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as LibreMap,
  MapGeoJSONFeature,
} from "maplibre-gl";

/** What stands out, drawn once more above the rest. */
const LIT = "plan-lit";
/** Nothing fades in: the map is drawn once for a change. */
const AT_ONCE = { duration: 0 };
const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };
type DataName = "plan-jobs" | "plan-routes" | "plan-trails" | "plan-territories";
type SourceName = DataName | typeof LIT;

export interface PlanLook {
  /** Pixels. */
  radius: number;
  numbers: boolean;
  /** Pixels; `null`: jobs stay single. */
  clusterRadius: number | null;
  territoryOpacity: number;
  dark: boolean;
}

export interface PlanEvents {
  onHoverJob: (id: number | null) => void;
  onHoverRun: (id: number | null) => void;
  onClickJob: (id: number, add: boolean) => void;
  onClickRun: (id: number) => void;
  /** The right button on a job; pixels of the window. */
  onMenuJob?: (id: number, x: number, y: number) => void;
  /** Where territories are worked on. */
  onClickTerritory?: (id: number) => void;
}

/** Draws thousands of jobs and route lines in WebGL. Survives changes of the base map. */
export class PlanLayers {
  readonly #map: LibreMap;
  readonly #data: Record<SourceName, FeatureCollection> = {
    "plan-jobs": EMPTY,
    "plan-routes": EMPTY,
    "plan-trails": EMPTY,
    "plan-territories": EMPTY,
    [LIT]: EMPTY,
  };
  /** What the map has of each source. */
  readonly #sent = new Map<SourceName, readonly Feature[]>();
  #litRun: number | null = null;
  /** Sources whose newest data the map does not have yet. */
  readonly #waiting = new Set<SourceName>();
  #look: PlanLook;
  readonly #atRest = (): void => {
    if (this.#waiting.size > 0) this.#flush();
  };
  readonly #install = (): void => {
    try {
      this.#addAll();
    } catch {
      // The style is not there yet; its `style.load` calls again.
    }
  };

  constructor(map: LibreMap, look: PlanLook, events: PlanEvents) {
    this.#map = map;
    this.#look = look;
    map.on("style.load", this.#install);
    map.on("sourcedata", this.#atRest);
    map.on("idle", this.#atRest);
    // A style without remote parts is loaded before anybody can listen.
    this.#install();
    this.#listen(events);
  }

  setData(source: DataName, data: FeatureCollection): void {
    this.#data[source] = data;
    this.#waiting.add(source);
    if (this.#litRun !== null && source !== "plan-territories") this.#waiting.add(LIT);
    this.#flush();
  }

  /** Makes a run stand out, while the others step back; `null`: all are alike. */
  setLitRun(run: number | null): void {
    if (run === this.#litRun) return;
    this.#litRun = run;
    this.#waiting.add(LIT);
    this.#flush();
    // One value for a whole layer: no tile is built anew.
    for (const [layer, names] of Object.entries(FADING)) {
      if (this.#map.getLayer(layer) === undefined) continue;
      for (const name of names) this.#map.setPaintProperty(layer, name, this.#opacity());
    }
  }

  /** The run whose way or stop is next to a place on the screen (pixels of the window). */
  runNear(clientX: number, clientY: number): number | null {
    if (this.#map.getLayer("plan-routes") === undefined) return null;
    const box = this.#map.getContainer().getBoundingClientRect();
    const place = around({ x: clientX - box.left, y: clientY - box.top }, 10);
    return runOf(this.#map.queryRenderedFeatures(place, { layers: ["plan-jobs", "plan-routes"] })[0]);
  }

  #drawLit(): void {
    const run = this.#litRun;
    const features = (["plan-routes", "plan-jobs"] as const).flatMap((name) =>
      this.#data[name].features.filter(({ properties }) => properties?.["runId"] === run),
    );
    this.#data[LIT] = run === null ? EMPTY : { type: "FeatureCollection", features };
  }

  #opacity(): number {
    return this.#litRun === null ? 0.95 : 0.3;
  }

  /**
   * Hands data over to sources that are at rest. A tile that is still being built from older data could be finished
   * last and then stay on the map.
   */
  #flush(): void {
    for (const name of this.#waiting) {
      const source = this.#map.getSource<GeoJSONSource>(name);
      if (source === undefined) continue;
      if (!this.#map.isSourceLoaded(name)) continue;
      this.#waiting.delete(name);
      // Drawn when it is handed over: until then what it is drawn from may change several times.
      if (name === LIT) this.#drawLit();
      const next = this.#data[name].features;
      const change = changeOf(this.#sent.get(name) ?? [], next);
      this.#sent.set(name, next);
      // A plan changes in a few places: only those are handed over.
      if (change === null) void source.setData(this.#data[name]);
      else if (change.add.length + change.remove.length > 0) void source.updateData(change);
    }
  }

  setLook(look: PlanLook): void {
    const before = this.#look;
    this.#look = look;
    if (this.#map.getSource("plan-jobs") === undefined) return;
    if (before.clusterRadius !== look.clusterRadius || before.dark !== look.dark) {
      this.#removeAll();
      this.#addAll();
      return;
    }
    for (const layer of this.#layers()) {
      for (const [name, value] of Object.entries(layer.paint ?? {})) {
        this.#map.setPaintProperty(layer.id, name as never, value as never);
      }
      for (const [name, value] of Object.entries(layer.layout ?? {})) {
        this.#map.setLayoutProperty(layer.id, name as never, value as never);
      }
    }
  }

  remove(): void {
    this.#map.off("style.load", this.#install);
    this.#map.off("sourcedata", this.#atRest);
    this.#map.off("idle", this.#atRest);
  }

  #addAll(): void {
    if (this.#map.getSource("plan-jobs") !== undefined) return;
    const { clusterRadius } = this.#look;
    this.#drawLit();
    for (const [name, data] of Object.entries(this.#data)) {
      const cluster =
        name === "plan-jobs" && clusterRadius !== null
          ? { cluster: true, clusterRadius, clusterMaxZoom: 11, clusterMinPoints: 4 }
          : {};
      this.#map.addSource(name, { type: "geojson", data, ...cluster });
      this.#waiting.delete(name as SourceName);
      this.#sent.set(name as SourceName, data.features);
    }
    for (const layer of this.#layers()) this.#map.addLayer(layer);
  }

  #removeAll(): void {
    for (const layer of this.#layers()) if (this.#map.getLayer(layer.id)) this.#map.removeLayer(layer.id);
    for (const name of Object.keys(this.#data)) if (this.#map.getSource(name)) this.#map.removeSource(name);
  }

  #layers(): LayerSpecification[] {
    const { radius, numbers, territoryOpacity, dark } = this.#look;
    const halo = dark ? "#10171c" : "#ffffff";
    // Dark dots on a dark map are told from the ground by their rim.
    const rim = dark ? "#aebfca" : "#ffffff";
    const opacity = this.#opacity();
    const day: ExpressionSpecification = ["get", "colour"];
    const colour: ExpressionSpecification = dark ? ["coalesce", ["get", "night"], day] : day;
    const ink: ExpressionSpecification = ["coalesce", ["get", dark ? "nightInk" : "ink"], "#ffffff"];
    return [
      {
        id: "plan-territories",
        type: "fill",
        source: "plan-territories",
        paint: { "fill-color": colour, "fill-opacity": territoryOpacity },
      },
      {
        id: "plan-territory-outlines",
        type: "line",
        source: "plan-territories",
        paint: { "line-color": colour, "line-width": 1.5, "line-opacity": 0.8 },
      },
      {
        id: "plan-territory-names",
        type: "symbol",
        source: "plan-territories",
        filter: ["==", ["geometry-type"], "Point"],
        layout: { "text-field": ["get", "name"], "text-size": 12 },
        paint: {
          "text-color": dark ? "#e7edf1" : "#16222a",
          "text-halo-color": halo,
          "text-halo-width": 1.5,
        },
      },
      {
        id: "plan-trails",
        type: "line",
        source: "plan-trails",
        paint: {
          "line-color": colour,
          "line-width": 2,
          "line-dasharray": [2, 1.5],
          "line-opacity": opacity,
          "line-opacity-transition": AT_ONCE,
        },
      },
      {
        id: "plan-route-halos",
        type: "line",
        source: "plan-routes",
        layout: { "line-join": "round", "line-cap": "round" },
        paint: {
          "line-color": halo,
          "line-width": 5,
          "line-opacity": opacity,
          "line-opacity-transition": AT_ONCE,
        },
      },
      {
        id: "plan-routes",
        type: "line",
        source: "plan-routes",
        layout: { "line-join": "round", "line-cap": "round" },
        paint: {
          "line-color": colour,
          "line-width": 3,
          "line-opacity": opacity,
          "line-opacity-transition": AT_ONCE,
        },
      },
      {
        id: "plan-clusters",
        type: "circle",
        source: "plan-jobs",
        filter: ["has", "point_count"],
        paint: {
          "circle-color": dark ? "#6fc3d8" : "#0f5f74",
          "circle-radius": ["interpolate", ["linear"], ["get", "point_count"], 4, 13, 50, 20, 500, 30],
          "circle-opacity": 0.88,
          "circle-stroke-color": halo,
          "circle-stroke-width": 2,
        },
      },
      {
        id: "plan-cluster-counts",
        type: "symbol",
        source: "plan-jobs",
        filter: ["has", "point_count"],
        layout: {
          "text-field": ["get", "point_count_abbreviated"],
          "text-size": 12,
          "text-allow-overlap": true,
        },
        paint: { "text-color": dark ? "#06222b" : "#ffffff" },
      },
      {
        // A ring around what wants a look: told from the others without its colour.
        id: "plan-job-marks",
        type: "circle",
        source: "plan-jobs",
        filter: ["all", ["!", ["has", "point_count"]], ["==", ["get", "marked"], true]],
        paint: {
          "circle-color": halo,
          "circle-radius": radius + 4,
          "circle-stroke-color": dark ? "#f2857d" : "#b3261e",
          "circle-stroke-width": 2.5,
          "circle-opacity": opacity,
          "circle-stroke-opacity": opacity,
        },
      },
      {
        id: "plan-jobs",
        type: "circle",
        source: "plan-jobs",
        filter: ["!", ["has", "point_count"]],
        paint: {
          "circle-color": colour,
          "circle-radius": radius,
          "circle-stroke-color": rim,
          "circle-stroke-width": dark ? 1 : 1.5,
          "circle-opacity": opacity,
          "circle-stroke-opacity": opacity,
          "circle-opacity-transition": AT_ONCE,
          "circle-stroke-opacity-transition": AT_ONCE,
        },
      },
      {
        id: "plan-job-numbers",
        type: "symbol",
        source: "plan-jobs",
        minzoom: 11,
        filter: ["!", ["has", "point_count"]],
        layout: {
          "text-field": numbers ? ["get", "label"] : "",
          "text-size": Math.max(9, radius * 1.15),
          "text-allow-overlap": true,
        },
        paint: { "text-color": ink, "text-opacity": opacity, "text-opacity-transition": AT_ONCE },
      },
      {
        id: "plan-lit-halos",
        type: "line",
        source: LIT,
        layout: { "line-join": "round", "line-cap": "round" },
        paint: { "line-color": halo, "line-width": 8 },
      },
      {
        id: "plan-lit-routes",
        type: "line",
        source: LIT,
        layout: { "line-join": "round", "line-cap": "round" },
        paint: { "line-color": colour, "line-width": 5 },
      },
      {
        id: "plan-lit-jobs",
        type: "circle",
        source: LIT,
        filter: ["==", ["geometry-type"], "Point"],
        paint: {
          "circle-color": colour,
          "circle-radius": radius,
          "circle-stroke-color": rim,
          "circle-stroke-width": dark ? 1 : 1.5,
        },
      },
      {
        id: "plan-lit-numbers",
        type: "symbol",
        source: LIT,
        minzoom: 11,
        filter: ["==", ["geometry-type"], "Point"],
        layout: {
          "text-field": numbers ? ["get", "label"] : "",
          "text-size": Math.max(9, radius * 1.15),
          "text-allow-overlap": true,
        },
        paint: { "text-color": ink },
      },
    ];
  }

  #listen(events: PlanEvents): void {
    const map = this.#map;
    const canvas = map.getCanvas();
    map.on("mousemove", ({ point }) => {
      if (map.getLayer("plan-jobs") === undefined) return;
      const job = map.queryRenderedFeatures(point, { layers: ["plan-jobs"] })[0];
      const route = map.queryRenderedFeatures(around(point, 4), { layers: ["plan-routes"] })[0];
      events.onHoverJob(job === undefined ? null : numberOf(job, "id"));
      events.onHoverRun(runOf(job) ?? runOf(route));
      canvas.style.cursor = job === undefined && route === undefined ? "" : "pointer";
    });
    map.on("mouseout", () => {
      events.onHoverJob(null);
      events.onHoverRun(null);
    });
    map.on("contextmenu", ({ point, originalEvent }) => {
      if (map.getLayer("plan-jobs") === undefined) return;
      const [job] = map.queryRenderedFeatures(point, { layers: ["plan-jobs"] });
      if (job === undefined) return;
      originalEvent.preventDefault();
      events.onMenuJob?.(numberOf(job, "id"), originalEvent.clientX, originalEvent.clientY);
    });
    map.on("click", ({ point, originalEvent }) => {
      if (map.getLayer("plan-jobs") === undefined) return;
      const [hit] = map.queryRenderedFeatures(point, { layers: ["plan-jobs", "plan-clusters"] });
      if (hit !== undefined && hit.layer.id === "plan-clusters") {
        void this.#openCluster(hit);
        return;
      }
      if (hit !== undefined) {
        events.onClickJob(numberOf(hit, "id"), originalEvent.ctrlKey || originalEvent.metaKey);
        return;
      }
      const run = runOf(map.queryRenderedFeatures(around(point, 4), { layers: ["plan-routes"] })[0]);
      if (run !== null) {
        events.onClickRun(run);
        return;
      }
      const [territory] = map.queryRenderedFeatures(point, { layers: ["plan-territories"] });
      if (territory !== undefined) events.onClickTerritory?.(numberOf(territory, "id"));
    });
  }

  async #openCluster(cluster: MapGeoJSONFeature): Promise<void> {
    const source = this.#map.getSource<GeoJSONSource>("plan-jobs");
    if (source === undefined || cluster.geometry.type !== "Point") return;
    const zoom = await source.getClusterExpansionZoom(numberOf(cluster, "cluster_id"));
    const [lng = 0, lat = 0] = cluster.geometry.coordinates;
    this.#map.easeTo({ center: [lng, lat], zoom });
  }
}

function around({ x, y }: { x: number; y: number }, by: number): [[number, number], [number, number]] {
  return [
    [x - by, y - by],
    [x + by, y + by],
  ];
}

function numberOf(feature: MapGeoJSONFeature, name: string): number {
  return Number(feature.properties[name]);
}

function runOf(feature: MapGeoJSONFeature | undefined): number | null {
  if (feature === undefined) return null;
  const id = numberOf(feature, "runId");
  return id > 0 ? id : null;
}

/** Properties by which a layer steps back. */
const FADING = {
  "plan-trails": ["line-opacity"],
  "plan-route-halos": ["line-opacity"],
  "plan-routes": ["line-opacity"],
  "plan-jobs": ["circle-opacity", "circle-stroke-opacity"],
  "plan-job-numbers": ["text-opacity"],
} as const;
