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
} from "@routewright/web";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { JobContextMenu, type MenuPlace } from "../jobs/JobContextMenu.tsx";
import { usePlanContext } from "../plan/context.ts";
import { useDrivers, useTerritories, useTerritoryGroups } from "../plan/queries.ts";
import { hoverJob, hoverRun, openPanel, selectJob, useSelection } from "../plan/selection.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { useGpsPoints } from "../tracking/gps.ts";
import { useView } from "../shell/view.ts";
import {
  boundsOf,
  jobColour,
  jobFeatures,
  routeFeatures,
  territoryFeatures,
  trailFeatures,
} from "./features.ts";
import { fitMap, holdInView, setHome, setMap } from "./fit.ts";
import type { CompatibleMap } from "./google-compatible.ts";
import { JobMarker, PlaceMarker } from "./JobMarker.tsx";
import { MapControls } from "./MapControls.tsx";
import { MapView, useDarkMode } from "./MapView.tsx";
import { type PlanLook, PlanLayers } from "./plan-layers.ts";
import { ICON_RADIUS, useMapSettings } from "./settings.ts";

/** The map with the active scenario's jobs, routes, depots and vehicles. */
export function PlanMap(): ReactNode {
  const { plan, scenarioId } = usePlanContext();
  const layers = useRef<PlanLayers | null>(null);
  const [ready, setReady] = useState(false);
  const [menu, setMenu] = useState<(MenuPlace & { id: number }) | null>(null);
  const look = useLook();
  const firstLook = useRef(look);
  const hidden = useSelection((state) => state.hiddenRunIds);
  const shownJobs = useMemo(
    () => plan.jobs.filter((job) => job.run_id === null || !hidden.has(job.run_id)),
    [plan.jobs, hidden],
  );
  const shownRuns = useMemo(() => plan.runs.filter((run) => !hidden.has(run.id)), [plan.runs, hidden]);
  const runsById = useMemo(() => new Map(plan.runs.map((run) => [run.id, run])), [plan.runs]);

  const takeMap = (map: CompatibleMap): void => {
    setMap(map.libre);
    layers.current = new PlanLayers(map.libre, firstLook.current, {
      onHoverJob: hoverJob,
      onHoverRun: hoverRun,
      onClickJob: (id, add) => {
        selectJob(id, add);
      },
      onClickRun: () => openPanel("runs"),
      onMenuJob: (id, x, y) => setMenu({ id, x, y }),
    });
    setReady(true);
  };

  useEffect(() => layers.current?.setLook(look), [look, ready]);
  useLayerData(layers, ready, shownJobs, shownRuns, runsById);
  useFitOnLoad(ready, scenarioId, plan.jobs);
  useHome(ready, plan.jobs);
  const markers = useMarkers(shownJobs, shownRuns, runsById);

  return (
    <>
      <MapView onReady={takeMap} remember>
        {markers}
      </MapView>
      <JobContextMenu job={{ id: menu?.id ?? 0 }} place={menu} onClose={() => setMenu(null)} />
      <MapControls onFit={() => fitMap(boundsOf(plan.jobs.map((job) => job.location)))} />
    </>
  );
}

function useLook(): PlanLook {
  const { iconSize, iconNumbers } = useMapSettings();
  const ui = useUiSettings();
  const dark = useDarkMode();
  const highlightedRun = useSelection((state) => state.hoveredRunId);
  const clustered = ui["map.clusterMarkers"];
  const clusterRadius = ui["map.clusterRadius"];
  const territoryOpacity = ui["map.territoryOpacity"];
  return useMemo(
    () => ({
      radius: ICON_RADIUS[iconSize],
      numbers: iconNumbers,
      clusterRadius: clustered ? clusterRadius : null,
      territoryOpacity,
      highlightedRun,
      dark,
    }),
    [iconSize, iconNumbers, clustered, clusterRadius, territoryOpacity, highlightedRun, dark],
  );
}

function useLayerData(
  layers: { current: PlanLayers | null },
  ready: boolean,
  jobs: readonly Job[],
  runs: readonly Run[],
  runsById: ReadonlyMap<number, Run>,
): void {
  const { iconColours, territories: showTerritories, driverHistory } = useMapSettings();
  const showStart = useUiSettings((ui) => ui["panels.runs.show-route-start"]);
  const showEnd = useUiSettings((ui) => ui["panels.runs.show-route-end"]);
  const territories = useScenarioTerritories();
  const { trail } = useGpsPoints(driverHistory);
  useEffect(() => {
    layers.current?.setData("plan-jobs", jobFeatures(jobs, runsById, iconColours));
  }, [layers, ready, jobs, runsById, iconColours]);
  useEffect(() => {
    layers.current?.setData("plan-routes", routeFeatures(runs, jobs, { start: showStart, end: showEnd }));
  }, [layers, ready, runs, jobs, showStart, showEnd]);
  useEffect(() => {
    layers.current?.setData("plan-territories", territoryFeatures(showTerritories ? territories : []));
  }, [layers, ready, territories, showTerritories]);
  useEffect(() => {
    layers.current?.setData("plan-trails", trailFeatures(driverHistory ? trail : [], runsById));
  }, [layers, ready, trail, driverHistory, runsById]);
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

/** Looks at the scenario's jobs when they arrive, once per scenario. */
function useFitOnLoad(ready: boolean, scenarioId: number | null, jobs: readonly Job[]): void {
  const fitted = useRef<number | null>(null);
  useEffect(() => {
    if (!ready || scenarioId === null || jobs.length === 0 || fitted.current === scenarioId) return;
    fitted.current = scenarioId;
    holdInView(boundsOf(jobs.map((job) => job.location)));
  }, [ready, scenarioId, jobs]);
}

/** What a reset of the view shows: the jobs, else the drivers' depots. */
function useHome(ready: boolean, jobs: readonly Job[]): void {
  const { data: drivers } = useDrivers();
  useEffect(() => {
    const depots = (drivers ?? []).flatMap(({ location }) => (location === null ? [] : [location]));
    setHome(boundsOf(jobs.length > 0 ? jobs.map((job) => job.location) : depots));
  }, [ready, jobs, drivers]);
}

function useMarkers(
  jobs: readonly Job[],
  runs: readonly Run[],
  runsById: ReadonlyMap<number, Run>,
): ReactNode[] {
  const selected = useSelection((state) => state.jobIds);
  const hovered = useSelection((state) => state.hoveredJobId);
  const mode = useMapSettings((settings) => settings.iconColours);
  const view = useView();
  const { latest } = useGpsPoints(false);
  const marked = jobs.filter((job) => job.id === hovered || (selected.size <= 200 && selected.has(job.id)));
  const jobMarkers = marked.map((job) => (
    <JobMarker
      key={`job-${job.id}`}
      lat={job.location.lat}
      lng={job.location.lon}
      job={job}
      colour={jobColour(job, runsById.get(job.run_id ?? 0), mode)}
      selected={selected.has(job.id)}
      labelled={job.id === hovered || selected.size === 1}
    />
  ));
  const vehicles =
    view === "customer" ? [] : latest.map((point) => vehicleMarker(point, runsById.get(point.run_id)));
  return [...depotMarkers(runs), ...vehicles, ...jobMarkers];
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

function vehicleMarker(point: GpsPoint, run: Run | undefined): ReactNode {
  const time = clockText(point.recorded_at, null);
  return (
    <PlaceMarker
      key={`vehicle-${point.run_id}`}
      lat={point.lat}
      lng={point.lon}
      colour={run?.route_colour ?? "#3d5568"}
      label={`${run?.uid ?? ""} ${fill(texts.tracking.lastPosition, { time })}`}
    >
      <TruckIcon />
    </PlaceMarker>
  );
}
