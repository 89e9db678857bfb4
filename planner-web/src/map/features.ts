import polyline from "@mapbox/polyline";
import {
  atNight,
  type GpsPoint,
  inkOn,
  type Job,
  JOB_COLOUR,
  type Run,
  type Territory,
} from "@routewright/web";
import type { Feature, FeatureCollection, LineString, MultiPolygon, Point, Polygon } from "geojson";
import { stopsOf } from "../plan/plan.ts";
import type { IconColours } from "./settings.ts";

export interface JobProperties {
  id: number;
  runId: number;
  colour: string;
  label: string;
  /** Colour of the label. */
  ink: string;
  /** Colours of the dark map. */
  night: string;
  nightInk: string;
  /** Something is wrong with it: it gets a ring. */
  marked: boolean;
}

export interface RouteProperties {
  runId: number;
  colour: string;
  /** Colour on the dark map. */
  night: string;
}

const SUCCESS = "#2a7d46";
const FAILURE = "#b3261e";

/** Colour of a job's marker. */
export function jobColour(job: Job, run: Run | undefined, mode: IconColours): string {
  if (mode === "jobColor") return job.colour || JOB_COLOUR;
  if (mode === "jobSuccess" && job.visited) return job.successful ? SUCCESS : FAILURE;
  return run?.route_colour ?? JOB_COLOUR;
}

type JobFeature = Feature<Point, JobProperties>;

/** Points as they were drawn last; most jobs stay as they were when a plan changes. */
const points = new WeakMap<Job, JobFeature>();

/** Jobs as points for the WebGL layer. */
export function jobFeatures(
  jobs: readonly Job[],
  runs: ReadonlyMap<number, Run>,
  mode: IconColours,
  marked: (id: number) => boolean = () => false,
): FeatureCollection<Point, JobProperties> {
  return {
    type: "FeatureCollection",
    features: jobs.map((job) => jobFeature(job, runs, mode, marked(job.id))),
  };
}

function jobFeature(
  job: Job,
  runs: ReadonlyMap<number, Run>,
  mode: IconColours,
  marked: boolean,
): JobFeature {
  const run = job.run_id === null ? undefined : runs.get(job.run_id);
  const colour = jobColour(job, run, mode);
  const before = points.get(job);
  // All else in it is the job's own.
  if (before?.properties.colour === colour && before.properties.marked === marked) return before;
  const night = atNight(colour);
  const feature: JobFeature = {
    type: "Feature",
    id: job.id,
    geometry: { type: "Point", coordinates: [job.location.lon, job.location.lat] },
    properties: {
      id: job.id,
      runId: job.run_id ?? 0,
      colour,
      ink: inkOn(colour),
      night,
      nightInk: inkOn(night),
      label: job.seq === null ? "" : String(job.seq),
      marked,
    },
  };
  points.set(job, feature);
  return feature;
}

export interface RouteEnds {
  start: boolean;
  end: boolean;
}

/** Route lines of runs: the road geometry where there is one, else straight lines between the stops. */
export function routeFeatures(
  runs: readonly Run[],
  jobs: readonly Job[],
  ends: RouteEnds,
): FeatureCollection<LineString, RouteProperties> {
  const features: Feature<LineString, RouteProperties>[] = [];
  for (const run of runs) {
    const feature = routeFeature(run, stopsOf(jobs, run.id), ends);
    if (feature !== null) features.push(feature);
  }
  return { type: "FeatureCollection", features };
}

type RouteFeature = Feature<LineString, RouteProperties>;

/** Lines as they were drawn last; most runs stay as they were when a plan changes. */
const drawn = new WeakMap<Run, { stops: readonly Job[]; ends: RouteEnds; feature: RouteFeature | null }>();

function routeFeature(run: Run, stops: readonly Job[], ends: RouteEnds): RouteFeature | null {
  const before = drawn.get(run);
  const same = before?.stops === stops && before.ends.start === ends.start && before.ends.end === ends.end;
  if (before !== undefined && same) return before.feature;
  const coordinates = routeCoordinates(run, stops, ends);
  const feature: RouteFeature | null =
    coordinates.length < 2
      ? null
      : {
          type: "Feature",
          id: run.id,
          geometry: { type: "LineString", coordinates },
          properties: routeProperties(run.id, run.route_colour),
        };
  drawn.set(run, { stops, ends, feature });
  return feature;
}

function routeProperties(runId: number, colour: string): RouteProperties {
  return { runId, colour, night: atNight(colour) };
}

function routeCoordinates(run: Run, stops: readonly Job[], ends: RouteEnds): number[][] {
  if (stops.length === 0) return [];
  const legs = run.route?.legs ?? [];
  // Legs describe the stored sequence; while a move is on its way they do not fit the stops any more.
  const fits =
    stops.every((stop, index) => legs[index]?.to_job_id === stop.id) &&
    legs.every((leg) => leg.geometry !== "");
  if (fits && legs.length > 0) {
    return legs
      .filter((leg) => (ends.start || leg.from_job_id !== null) && (ends.end || leg.to_job_id !== null))
      .flatMap((leg) => polyline.toGeoJSON(leg.geometry).coordinates);
  }
  const line = stops.map((stop) => [stop.location.lon, stop.location.lat]);
  if (ends.start && run.start_location !== null) {
    line.unshift([run.start_location.lon, run.start_location.lat]);
  }
  const end = run.route_end === "start" ? run.start_location : run.end_location;
  if (ends.end && run.route_end !== "anywhere" && end !== null) line.push([end.lon, end.lat]);
  return line;
}

/** Trails of drivers as lines, one per run. */
export function trailFeatures(
  points: readonly GpsPoint[],
  runs: ReadonlyMap<number, Run>,
): FeatureCollection<LineString, RouteProperties> {
  const byRun = new Map<number, GpsPoint[]>();
  for (const point of points) {
    const list = byRun.get(point.run_id);
    if (list === undefined) byRun.set(point.run_id, [point]);
    else list.push(point);
  }
  const features: Feature<LineString, RouteProperties>[] = [];
  for (const [runId, list] of byRun) {
    if (list.length < 2) continue;
    list.sort((a, b) => a.recorded_at.localeCompare(b.recorded_at));
    features.push({
      type: "Feature",
      geometry: { type: "LineString", coordinates: list.map(({ lat, lon }) => [lon, lat]) },
      properties: routeProperties(runId, runs.get(runId)?.route_colour ?? JOB_COLOUR),
    });
  }
  return { type: "FeatureCollection", features };
}

export interface TerritoryProperties {
  id: number;
  colour: string;
  name: string;
}

/** Areas of territories, and a point for the name of each. */
export function territoryFeatures(
  territories: readonly Territory[],
): FeatureCollection<Polygon | MultiPolygon | Point, TerritoryProperties> {
  return {
    type: "FeatureCollection",
    features: territories.flatMap(({ id, geometry, colour, name }) => {
      const properties = { id, colour: colour ?? "#4363d8", name };
      return [
        { type: "Feature" as const, geometry, properties },
        {
          type: "Feature" as const,
          geometry: { type: "Point" as const, coordinates: labelPoint(geometry) },
          properties,
        },
      ];
    }),
  };
}

/** Centre of gravity of the largest outline. */
function labelPoint(geometry: Territory["geometry"]): number[] {
  const outlines =
    geometry.type === "Polygon" ? [geometry.coordinates[0]] : geometry.coordinates.map(([ring]) => ring);
  let best: { area: number; centre: number[] } = { area: -1, centre: [0, 0] };
  for (const ring of outlines) {
    const centre = centreOf(ring ?? []);
    if (centre.area > best.area) best = centre;
  }
  return best.centre;
}

function centreOf(ring: readonly number[][]): { area: number; centre: number[] } {
  const [[x0 = 0, y0 = 0] = []] = ring;
  let [area, x, y] = [0, 0, 0];
  ring.forEach(([x1 = 0, y1 = 0], index) => {
    const [x2 = 0, y2 = 0] = ring[index + 1] ?? [x0, y0];
    const cross = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    area += cross;
    x += cross * (x1 + x2 + x0);
    y += cross * (y1 + y2 + y0);
  });
  return { area: Math.abs(area), centre: area === 0 ? [x0, y0] : [x / (3 * area), y / (3 * area)] };
}

/** Where a plan takes place: its jobs, and where its runs begin and end. */
export function placesOf(jobs: readonly Job[], runs: readonly Run[]): { lat: number; lon: number }[] {
  const depots = runs.flatMap(({ start_location: start, end_location: end }) => [start, end]);
  return [...jobs.map((job) => job.location), ...depots.filter((place) => place !== null)];
}

/** Smallest box around places: west, south, east, north; `null` without places. */
export function boundsOf(
  places: readonly { lat: number; lon: number }[],
): [number, number, number, number] | null {
  const [first] = places;
  if (first === undefined) return null;
  const box: [number, number, number, number] = [first.lon, first.lat, first.lon, first.lat];
  for (const { lat, lon } of places) {
    box[0] = Math.min(box[0], lon);
    box[1] = Math.min(box[1], lat);
    box[2] = Math.max(box[2], lon);
    box[3] = Math.max(box[3], lat);
  }
  return box;
}
