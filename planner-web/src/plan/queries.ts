import {
  type Driver,
  type DriverUser,
  type Job,
  type MapConfig,
  mayCall,
  type Page,
  type Reason,
  request,
  requestAll,
  resource,
  type Run,
  type Scenario,
  type ScenarioReason,
  session,
  type SmsConfiguration,
  type Tag,
  type Territory,
  type TerritoryGroup,
  type Unit,
  useModule,
  type User,
  type Vehicle,
} from "@routewright/web";
import { notifyManager, skipToken, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { queryClient } from "../ui/query-client.ts";
import { loaded, versionBefore } from "./follow.ts";
import { keys } from "./keys.ts";
import { byUid, emptyPlan, type Plan } from "./plan.ts";

export const jobs = resource<Job>("/jobs");
export const runs = resource<Run>("/runs");
export const scenarios = resource<Scenario>("/scenarios");
export const drivers = resource<Driver>("/drivers");

export function useScenario(id: number | null): UseQueryResult<Scenario> {
  return useQuery({
    queryKey: keys.scenario(id ?? 0),
    queryFn: () => scenarios.get(id ?? 0),
    enabled: id !== null,
  });
}

export interface LoadedPlan {
  plan: Plan;
  /** The plan is not whole yet: the first jobs may be there already, to look at. */
  loading: boolean;
  /** Why the plan, or a part of it, is not there. */
  error: Error | null;
}

/** Jobs and runs of a scenario, loaded beside each other. */
export function usePlan(scenarioId: number | null): LoadedPlan {
  const id = scenarioId ?? 0;
  const enabled = scenarioId !== null;
  const jobList = useQuery({ queryKey: keys.jobs(id), queryFn: () => loadJobs(id), enabled });
  const runList = useQuery({ queryKey: keys.runs(id), queryFn: () => loadRuns(id), enabled });
  const pending = jobList.isPending || runList.isPending;
  // Never fetched by itself: what has come so far is put there while the jobs load.
  const { data: first } = useQuery<readonly Job[]>({
    queryKey: keys.firstJobs(id),
    queryFn: skipToken,
    enabled: pending,
  });
  const plan = useMemo<Plan>(
    () =>
      // Without all jobs the runs would look emptier than they are; with all of them and no runs, the board would be
      // drawn twice.
      pending && jobList.error === null && runList.error === null
        ? { jobs: first ?? emptyPlan.jobs, runs: emptyPlan.runs }
        : { jobs: jobList.data ?? emptyPlan.jobs, runs: runList.data ?? emptyPlan.runs },
    [first, jobList.data, jobList.error, runList.data, runList.error, pending],
  );
  return { plan, loading: enabled && pending, error: jobList.error ?? runList.error };
}

async function loadJobs(scenarioId: number): Promise<Job[]> {
  const version = await versionBefore(scenarioId);
  const key = keys.firstJobs(scenarioId);
  const known = queryClient.getQueryData(keys.jobs(scenarioId)) !== undefined;
  try {
    const list = await requestAll<Job>(
      "/jobs",
      { scenario_ids: [scenarioId], sort_by: "id", sort_order: "asc" },
      { onFirst: (jobs) => known || queryClient.setQueryData<readonly Job[]>(key, jobs.sort(byUid)) },
    );
    loaded(scenarioId, "jobs", version);
    return list.sort(byUid);
  } finally {
    queryClient.removeQueries({ queryKey: key, exact: true });
  }
}

/** Whether all jobs of a scenario are there; before, nothing can be worked out of them. */
export function planIsWhole(scenarioId: number): boolean {
  return (
    queryClient.getQueryData(keys.jobs(scenarioId)) !== undefined &&
    queryClient.getQueryData(keys.runs(scenarioId)) !== undefined
  );
}

async function loadRuns(scenarioId: number): Promise<Run[]> {
  const version = await versionBefore(scenarioId);
  if (!mayCall("GET", "/runs", session().user)) {
    loaded(scenarioId, "runs", version);
    return [];
  }
  const list = await requestAll<Run>("/runs", { scenario_id: scenarioId, route: true, jobs: false });
  loaded(scenarioId, "runs", version);
  return list.sort(byUid);
}

/** The plan as it stands in the cache. */
export function cachedPlan(scenarioId: number): Plan {
  return {
    jobs: queryClient.getQueryData<Job[]>(keys.jobs(scenarioId)) ?? [],
    runs: queryClient.getQueryData<Run[]>(keys.runs(scenarioId)) ?? [],
  };
}

export function cachePlan(scenarioId: number, plan: Plan): void {
  // Told together, so that nobody draws new jobs on old runs.
  notifyManager.batch(() => {
    queryClient.setQueryData<readonly Job[]>(keys.jobs(scenarioId), plan.jobs);
    queryClient.setQueryData<readonly Run[]>(keys.runs(scenarioId), plan.runs);
  });
}

/** Loads scenario, jobs and runs again. */
export async function reloadPlan(scenarioId: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.scenario(scenarioId) }),
    queryClient.invalidateQueries({ queryKey: keys.plan(scenarioId) }),
    queryClient.invalidateQueries({ queryKey: keys.jobPages }),
  ]);
}

function useShared<T>(key: readonly unknown[], path: string): UseQueryResult<T[]> {
  return useQuery({
    queryKey: key,
    queryFn: () => requestAll<T>(path),
    enabled: mayCall("GET", path, session().user),
    staleTime: 5 * 60_000,
  });
}

export const useDrivers = (): UseQueryResult<Driver[]> => useShared<Driver>(keys.drivers, "/drivers");
export const useVehicles = (): UseQueryResult<Vehicle[]> => useShared<Vehicle>(keys.vehicles, "/vehicles");
export const useDriverUsers = (): UseQueryResult<DriverUser[]> =>
  useShared<DriverUser>(keys.driverUsers, "/drivers/users");
export const useReasons = (): UseQueryResult<Reason[]> => useShared<Reason>(keys.reasons, "/reasons");
export const useScenarioReasons = (): UseQueryResult<ScenarioReason[]> =>
  useShared<ScenarioReason>(keys.scenarioReasons, "/scenario_reasons");
export const useTags = (): UseQueryResult<Tag[]> => useShared<Tag>(keys.tags, "/tags");
export const useUsers = (): UseQueryResult<User[]> => useShared<User>(keys.users, "/users");
export const useTerritories = (): UseQueryResult<Territory[]> =>
  useShared<Territory>(keys.territories, "/territories");

export const useTerritoryGroups = (): UseQueryResult<TerritoryGroup[]> =>
  useShared<TerritoryGroup>(keys.territoryGroups, "/territory_groups");

/** Units of all jobs of a scenario. */
export function useScenarioUnits(scenarioId: number | null): UseQueryResult<Unit[]> {
  const units = useModule("units");
  return useQuery({
    queryKey: keys.units(scenarioId ?? 0),
    queryFn: () => requestAll<Unit>("/units", { scenario_ids: [scenarioId ?? 0] }, { quiet: true }),
    enabled: units && scenarioId !== null && mayCall("GET", "/units", session().user),
  });
}

/** Fetches what the map page and its dialogs need, where it is permitted and not there yet. */
export function useMapData(scenarioId: number | null): void {
  useDrivers();
  useVehicles();
  useDriverUsers();
  useTerritories();
  useTerritoryGroups();
  useScenarioUnits(scenarioId);
}

export function useMapConfig(): UseQueryResult<MapConfig> {
  return useQuery({
    queryKey: keys.mapConfig,
    queryFn: () => request<MapConfig>("/map/config", { quiet: true }),
    staleTime: Infinity,
  });
}

/** Whether SMS can be sent: a missing configuration (404) means that it is off. */
export function useSmsEnabled(): boolean {
  const { data } = useQuery({
    queryKey: keys.sms,
    queryFn: async () => {
      try {
        return await request<SmsConfiguration>("/secrets/sms_configuration", { quiet: true });
      } catch {
        return null;
      }
    },
    staleTime: 5 * 60_000,
  });
  return data?.enabled ?? false;
}

export type { Page };
