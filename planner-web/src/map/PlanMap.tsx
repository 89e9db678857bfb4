import WarehouseIcon from "@mui/icons-material/WarehouseOutlined";
import TruckIcon from "@mui/icons-material/LocalShipping";
import {
  clockText,
  type GpsPoint,
  type Job,
  type Place,
  type Run,
  type Territory,
  texts,
  fill,
  useSession,
} from "@routewright/web";
import { placeOfZone, useDarkMode } from "@routewright/web/map";
import { Box, Chip, Tooltip } from "@mui/material";
import { type ComponentProps, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { draggedJobs, isJobDrag } from "../plan/drag.ts";
import { jobsOnMap } from "../plan/filter.ts";
import { jobsById, type Plan, runsById } from "../plan/plan.ts";
import type { Problems } from "../plan/problems.ts";
import { useDrivers, useTerritories, useTerritoryGroups } from "../plan/queries.ts";
import { isStraight } from "../plan/StraightLines.tsx";
import { hoverJob, hoverRun, openPanel, selectJob, selectJobs, useSelection } from "../plan/selection.ts";
import { useProblems } from "../plan/use-problems.ts";
import { useRoad } from "../road/road.ts";
import { staleText } from "../road/words.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { useView } from "../ui/view.ts";
import {
  boundsOf,
  jobColour,
  jobFeatures,
  placesOf,
  routeFeatures,
  territoryFeatures,
  trailFeatures,
} from "./features.ts";
import { spread } from "./clusters.ts";
import { fitMap, holdInView, isHeld, lookIfLost, setHome, setMap } from "./fit.ts";
import type { CompatibleMap } from "./google-compatible.ts";
import { JobMarker, PlaceMarker } from "./JobMarker.tsx";
import { Lasso } from "./Lasso.tsx";
import { MapControls } from "./MapControls.tsx";
import { MapView } from "./MapView.tsx";
import { PlanLayers } from "./plan-layers.ts";
import type { PlanLook } from "./plan-style.ts";
import { UnservedLegend } from "./UnservedLegend.tsx";
import { useLitRun, useRestedJob } from "./rest.ts";
import { ICON_RADIUS, useMapSettings } from "./settings.ts";

export interface PlanMapProps {
  /** Newest position of each run's vehicle. */
  positions: readonly GpsPoint[];
  /** The ways that the vehicles have driven. */
  trail: readonly GpsPoint[];
  /** The menu of a job is asked for, at these pixels of the window; must stay the same function. */
  onMenuJob: (id: number, x: number, y: number) => void;
  /** Jobs were dropped on the way of a run; absent where nothing can be moved. */
  onDropJobs?: ((runId: number, jobIds: number[]) => void) | undefined;
}

/** The map with the active scenario's jobs, routes, depots and vehicles. */
export function PlanMap({ positions, trail, onMenuJob, onDropJobs }: PlanMapProps): ReactNode {
  const { plan, scenarioId, loading } = usePlanContext();
  const layers = useRef<PlanLayers | null>(null);
  const [ready, setReady] = useState(false);
  const look = useLook();
  const firstLook = useRef(look);
  const hidden = useSelection((state) => state.hiddenRunIds);
  const filter = useSelection((state) => state.jobFilter);
  const problems = useProblems();
  const shownJobs = useMemo(
    () => jobsOnMap(plan.jobs, hidden, filter, problems),
    [plan.jobs, hidden, filter, problems],
  );
  const shownRuns = useMemo(() => plan.runs.filter((run) => !hidden.has(run.id)), [plan.runs, hidden]);
  const byId = runsById(plan.runs);
  const [lassoing, setLassoing] = useState(false);

  const takeMap = (map: CompatibleMap): void => {
    setMap(map.libre);
    layers.current = new PlanLayers(map.libre, firstLook.current, {
      onHoverJob: hoverJob,
      onHoverRun: hoverRun,
      onClickJob: (id, add) => {
        selectJob(id, add);
      },
      onClickRun: () => openPanel("runs"),
      onClickJobs: selectJobs,
      onMenuJob,
    });
    setReady(true);
  };

  useEffect(() => layers.current?.setLook(look), [look, ready]);
  // Routes go through all stops of a run, also those that a filter leaves out.
  const routedJobs = useMemo(
    () => plan.jobs.filter((job) => job.run_id !== null && !hidden.has(job.run_id)),
    [plan.jobs, hidden],
  );
  const drawn = useMemo(
    () => ({ shown: shownJobs, routed: routedJobs, problems }),
    [shownJobs, routedJobs, problems],
  );
  useLayerData(layers, ready, drawn, shownRuns, byId, trail);
  useLitRun(layers, ready, byId);
  useFitOnLoad(ready, scenarioId, plan, loading);
  useHome(ready, plan);
  const dropZone = useMapDrops(layers, onDropJobs);

  return (
    <Box {...dropZone} sx={{ position: "absolute", inset: 0 }}>
      <MarkedMap
        onReady={takeMap}
        hidden={hidden}
        runs={shownRuns}
        positions={positions}
        draggable={onDropJobs !== undefined}
      />
      <Corner>
        <UnservedLegend />
        <StraightLines runs={shownRuns} />
      </Corner>
      <MapControls
        onFit={() => fitMap(boundsOf(placesOf(plan.jobs, plan.runs)))}
        lassoing={lassoing}
        onLasso={plan.jobs.length === 0 ? undefined : () => setLassoing(!lassoing)}
      />
      {lassoing && <Lasso jobs={shownJobs} onDone={() => setLassoing(false)} />}
    </Box>
  );
}

type DropZone = Pick<ComponentProps<typeof Box>, "onDragOver" | "onDragLeave" | "onDrop">;

/** Jobs that are dropped near the way of a run go to its end. */
function useMapDrops(
  layers: { current: PlanLayers | null },
  onDropJobs: PlanMapProps["onDropJobs"],
): DropZone {
  if (onDropJobs === undefined) return {};
  return {
    onDragOver: (event) => {
      if (!isJobDrag(event)) return;
      const run = layers.current?.runNear(event.clientX, event.clientY) ?? null;
      hoverRun(run);
      if (run === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
    },
    onDragLeave: () => hoverRun(null),
    onDrop: (event) => {
      const run = layers.current?.runNear(event.clientX, event.clientY) ?? null;
      const jobIds = draggedJobs(event);
      if (run === null || jobIds.length === 0) return;
      event.preventDefault();
      hoverRun(null);
      onDropJobs(run, jobIds);
    },
  };
}

interface MarkedMapProps extends MarkerProps {
  onReady: (map: CompatibleMap) => void;
}

/** The map with what is marked on it: the only part that is drawn anew when the pointer moves. */
function MarkedMap({ onReady, ...rest }: MarkedMapProps): ReactNode {
  return (
    <MapView onReady={onReady} remember>
      {useMarkers(rest)}
    </MapView>
  );
}

/** What is told of the plan, above the lower left corner. */
function Corner({ children }: { children: ReactNode }): ReactNode {
  return (
    <Box
      sx={{
        position: "absolute",
        left: 12,
        bottom: 28,
        zIndex: 400,
        display: "grid",
        gap: 1,
        justifyItems: "start",
        pointerEvents: "none",
      }}
    >
      {children}
    </Box>
  );
}

/** Says on the map that its routes are no roads. */
function StraightLines({ runs }: { runs: readonly Run[] }): ReactNode {
  if (!runs.some(isStraight)) return null;
  return (
    <Tooltip title={texts.problems.straightLinesHelp}>
      <Chip
        label={texts.problems.straightLines}
        color="warning"
        variant="outlined"
        sx={{ bgcolor: "background.paper", pointerEvents: "auto" }}
      />
    </Tooltip>
  );
}

function useLook(): PlanLook {
  const { iconSize, iconNumbers } = useMapSettings();
  const ui = useUiSettings();
  const dark = useDarkMode();
  const clustered = ui["map.clusterMarkers"];
  const clusterRadius = ui["map.clusterRadius"];
  const territoryOpacity = ui["map.territoryOpacity"];
  return useMemo(
    () => ({
      radius: ICON_RADIUS[iconSize],
      numbers: iconNumbers,
      clusterRadius: clustered ? clusterRadius : null,
      territoryOpacity,
      dark,
    }),
    [iconSize, iconNumbers, clustered, clusterRadius, territoryOpacity, dark],
  );
}

function useLayerData(
  layers: { current: PlanLayers | null },
  ready: boolean,
  jobs: { shown: readonly Job[]; routed: readonly Job[]; problems: Problems },
  runs: readonly Run[],
  byId: ReadonlyMap<number, Run>,
  trail: readonly GpsPoint[],
): void {
  const { shown, routed, problems } = jobs;
  const { iconColours, territories: showTerritories, driverHistory } = useMapSettings();
  const showStart = useUiSettings((ui) => ui["panels.runs.show-route-start"]);
  const showEnd = useUiSettings((ui) => ui["panels.runs.show-route-end"]);
  const territories = useScenarioTerritories();
  useEffect(() => {
    const marked = (id: number): boolean => problems.ofJob(id).length > 0;
    layers.current?.setData("plan-jobs", jobFeatures(shown, byId, iconColours, marked));
  }, [layers, ready, shown, problems, byId, iconColours]);
  useEffect(() => {
    layers.current?.setData("plan-routes", routeFeatures(runs, routed, { start: showStart, end: showEnd }));
  }, [layers, ready, runs, routed, showStart, showEnd]);
  useEffect(() => {
    layers.current?.setData("plan-territories", territoryFeatures(showTerritories ? territories : []));
  }, [layers, ready, territories, showTerritories]);
  useEffect(() => {
    layers.current?.setData("plan-trails", trailFeatures(driverHistory ? trail : [], byId));
  }, [layers, ready, trail, driverHistory, byId]);
}

/** All territories, or those of the scenario's groups where it names some. */
function useScenarioTerritories(): readonly Territory[] {
  const { scenario } = usePlanContext();
  const { data: territories } = useTerritories();
  const { data: groups } = useTerritoryGroups();
  return useMemo(() => {
    const chosen = scenario?.territory_group_ids ?? [];
    if (territories === undefined || chosen.length === 0) return territories ?? [];
    const members = new Set(
      (groups ?? [])
        .filter(({ id }) => chosen.includes(id))
        .flatMap((group) => group.territories.map(({ id }) => id)),
    );
    return territories.filter(({ id }) => members.has(id));
  }, [scenario, territories, groups]);
}

/** Looks at the scenario's jobs when the first arrive, and at all of them and the depots when they are there. */
function useFitOnLoad(
  ready: boolean,
  scenarioId: number | null,
  { jobs, runs }: Plan,
  loading: boolean,
): void {
  const fitted = useRef<string | null>(null);
  useEffect(() => {
    const now = `${scenarioId} ${loading ? "in part" : "whole"}`;
    const done = fitted.current === now || fitted.current === `${scenarioId} whole`;
    if (!ready || scenarioId === null || jobs.length === 0 || done) return;
    // Who has moved the map while the rest was loading keeps what he looks at.
    if (fitted.current === `${scenarioId} in part` && !isHeld()) return;
    fitted.current = now;
    holdInView(boundsOf(placesOf(jobs, runs)));
  }, [ready, scenarioId, jobs, runs, loading]);
}

/** What a reset of the view shows: the jobs, else the drivers' depots, else the organisation's part of the world. */
function useHome(ready: boolean, { jobs, runs }: Plan): void {
  const { data: drivers } = useDrivers();
  const zone = useSession((state) => state.user?.organisation.timezone ?? null);
  useEffect(() => {
    const depots = (drivers ?? []).flatMap(({ location }) => (location === null ? [] : [location]));
    const box = boundsOf(jobs.length > 0 ? placesOf(jobs, runs) : depots);
    setHome(box);
    if (!ready || box !== null || drivers === undefined || zone === null) return;
    void placeOfZone(zone).then((place) => {
      if (place !== null) lookIfLost(place);
    });
  }, [ready, jobs, runs, drivers, zone]);
}

interface MarkerProps {
  hidden: ReadonlySet<number>;
  runs: readonly Run[];
  positions: readonly GpsPoint[];
  draggable: boolean;
}

/** More marked jobs than this are told by the list alone. */
const MOST_MARKED = 200;

function useMarkers({ hidden, runs, positions, draggable }: MarkerProps): ReactNode[] {
  const { plan } = usePlanContext();
  const selected = useSelection((state) => state.jobIds);
  const hovered = useRestedJob();
  const mode = useMapSettings((settings) => settings.iconColours);
  const view = useView();
  const zone = useSession((state) => state.user?.organisation.timezone ?? null);
  // On another day a position is as old as the day.
  const now = useRoad().now ?? 0;
  const byId = runsById(plan.runs);
  const jobs = jobsById(plan.jobs);
  const ids = new Set(selected.size <= MOST_MARKED ? selected : []);
  if (hovered !== null) ids.add(hovered);
  const marked = [...ids].flatMap((id) => jobs.get(id) ?? []);
  const drawn = marked.filter((job) => job.run_id === null || !hidden.has(job.run_id));
  const shifts = spread(drawn);
  const jobMarkers = drawn.map((job) => (
    <JobMarker
      shift={shifts.get(job.id)}
      key={`job-${job.id}`}
      lat={job.location.lat}
      lng={job.location.lon}
      job={job}
      colour={jobColour(job, byId.get(job.run_id ?? 0), mode)}
      selected={selected.has(job.id)}
      labelled={job.id === hovered || selected.size === 1}
      draggable={draggable}
    />
  ));
  const depots = useMemo(() => depotMarkers(runs), [runs]);
  const vehicles =
    view === "customer"
      ? []
      : positions.map((point) => vehicleMarker(point, byId.get(point.run_id), now, zone));
  return [...depots, ...vehicles, ...jobMarkers];
}

function depotMarkers(runs: readonly Run[]): ReactNode[] {
  const places = new Map<string, Place>();
  for (const { start_location: place } of runs) {
    if (place !== null) places.set(`${place.lat.toFixed(5)},${place.lon.toFixed(5)}`, place);
  }
  return [...places].map(([key, place]) => (
    <PlaceMarker
      key={`depot-${key}`}
      lat={place.lat}
      lng={place.lon}
      colour="var(--mui-palette-secondary-main)"
      label={place.address}
    >
      <WarehouseIcon />
    </PlaceMarker>
  ));
}

function vehicleMarker(point: GpsPoint, run: Run | undefined, now: number, zone: string | null): ReactNode {
  const stale = run?.actual_end_time == null ? staleText(point, now) : "";
  const time = clockText(point.recorded_at, zone);
  const told = fill(texts.tracking.lastPosition, { time });
  return (
    <PlaceMarker
      key={`vehicle-${point.run_id}`}
      lat={point.lat}
      lng={point.lon}
      colour={run?.route_colour ?? "#3d5568"}
      label={[`${run?.uid ?? ""} ${told}`, stale].filter(Boolean).join(", ")}
      note={stale}
    >
      <TruckIcon />
    </PlaceMarker>
  );
}
