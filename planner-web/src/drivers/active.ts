import type { Driver, Scenario } from "@routewright/web";
import { useMemo } from "react";
import { usePlanContext } from "../plan/context.ts";
import { byUid } from "../plan/plan.ts";
import { useDrivers } from "../plan/queries.ts";
import { useSelection } from "../plan/selection.ts";

/** Drivers chosen for the optimisation: by hand, else the scenario's own, else those that have runs, else all. */
export function useChosenDrivers(): { drivers: Driver[]; chosen: ReadonlySet<number> } {
  const { data } = useDrivers();
  const { scenario, plan } = usePlanContext();
  const byHand = useSelection((state) => state.driverIds);
  const drivers = useMemo(
    () => (data ?? []).filter((driver) => driver.deleted_at === null).sort(byUid),
    [data],
  );
  const chosen = useMemo(
    () =>
      byHand ??
      new Set(
        defaultDrivers(
          scenario,
          plan.runs.map((run) => run.driver_id),
          drivers,
        ),
      ),
    [byHand, scenario, plan.runs, drivers],
  );
  return { drivers, chosen };
}

function defaultDrivers(
  scenario: Scenario | null,
  withRuns: readonly number[],
  drivers: readonly Driver[],
): number[] {
  const own = scenario?.default_active_driver_ids ?? [];
  if (own.length > 0) return [...own];
  if (withRuns.length > 0) return [...withRuns];
  return drivers.filter((driver) => driver.location !== null).map((driver) => driver.id);
}
