import type { Feature, FeatureCollection } from "geojson";
import { type Clusters, clustersAt, NEAREST_ZOOM } from "./clusters.ts";
import { changeOf } from "./feature-change.ts";
import type { GeoJSONSource, LayerSpecification, Map as LibreMap, MapGeoJSONFeature } from "maplibre-gl";
import { LIT, type PlanLook, planStyle } from "./plan-style.ts";

const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };
type DataName = "plan-jobs" | "plan-routes" | "plan-trails" | "plan-territories";
type SourceName = DataName | typeof LIT;

export interface PlanEvents {
  onHoverJob: (id: number | null) => void;
  onHoverRun: (id: number | null) => void;
  onClickJob: (id: number, add: boolean) => void;
  onClickRun: (id: number) => void;
  /** Jobs of one place, which no zoom takes apart. */
  onClickJobs?: (ids: number[]) => void;
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
  /** What the source of the jobs was told; `null`: jobs stay single. */
  #clusters: Clusters | null = null;
  readonly #atRest = (): void => {
    if (this.#waiting.size > 0) this.#flush();
  };
  readonly #atZoom = (): void => {
    const next = this.#clustersNow();
    const known = next?.clusterRadius === this.#clusters?.clusterRadius;
    const source = this.#map.getSource<GeoJSONSource>("plan-jobs");
    if (next === null || known || source === undefined) return;
    this.#clusters = next;
    // Data that arrives meanwhile is gathered by the same options; a map that is taken away answers no more.
    source.setClusterOptions({ cluster: true, ...next }).catch(() => undefined);
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
    map.on("zoomend", this.#atZoom);
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
    this.#map.off("zoomend", this.#atZoom);
  }

  #clustersNow(): Clusters | null {
    const { clusterRadius, radius } = this.#look;
    return clusterRadius === null ? null : clustersAt(this.#map.getZoom(), clusterRadius, radius);
  }

  #addAll(): void {
    if (this.#map.getSource("plan-jobs") !== undefined) return;
    this.#clusters = this.#clustersNow();
    this.#drawLit();
    for (const [name, data] of Object.entries(this.#data)) {
      const cluster =
        name === "plan-jobs" && this.#clusters !== null
          ? {
              cluster: true,
              ...this.#clusters,
              maxzoom: NEAREST_ZOOM + 1,
              // One that wants a look is not hidden among others.
              clusterProperties: { marked: ["any", ["==", ["get", "marked"], true]] },
            }
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
    return planStyle(this.#look, this.#opacity());
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
        // One that was gathered anew meanwhile is no longer there: the next click meets what is.
        this.#openCluster(hit, events).catch(() => undefined);
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

  /** Comes closer until the jobs are told apart; jobs of one place are marked instead. */
  async #openCluster(cluster: MapGeoJSONFeature, events: PlanEvents): Promise<void> {
    const source = this.#map.getSource<GeoJSONSource>("plan-jobs");
    if (source === undefined || cluster.geometry.type !== "Point") return;
    const id = numberOf(cluster, "cluster_id");
    const zoom = await source.getClusterExpansionZoom(id);
    if (zoom > NEAREST_ZOOM && events.onClickJobs !== undefined) {
      const jobs = await source.getClusterLeaves(id, numberOf(cluster, "point_count"), 0);
      events.onClickJobs(jobs.map(({ properties }) => Number(properties?.["id"])));
      return;
    }
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
