import type { ViewName } from "@routewright/web";
import { Guard } from "@routewright/web";
import { type ReactNode, useMemo } from "react";
import { Navigate } from "react-router";
import { type PlanContext, PlanProvider } from "../plan/context.ts";
import { useBulkCreateLink } from "../jobs/bulk-link.ts";
import { useMapData, usePlan, useScenario } from "../plan/queries.ts";
import { useActiveScenario } from "../scenarios/active.ts";
import { useScenarioNotice } from "../scenarios/notice.ts";
import { useLiveScenario } from "../tracking/live.ts";
import { Layout } from "./Layout.tsx";
import { ViewContext } from "./view.ts";

function Home({ view }: { view: ViewName }): ReactNode {
  const { id, activate } = useActiveScenario();
  const scenario = useScenario(id);
  const { plan, loading, error: planError } = usePlan(id);
  const error = scenario.error ?? planError;
  const value = useMemo<PlanContext>(
    () => ({ scenario: scenario.data ?? null, scenarioId: id, plan, loading, error, activate }),
    [scenario.data, id, plan, loading, error, activate],
  );
  useMapData(id);
  useScenarioNotice(value);
  useLiveScenario(value.scenario);
  return (
    <ViewContext.Provider value={view}>
      <PlanProvider value={value}>
        <Layout />
      </PlanProvider>
    </ViewContext.Provider>
  );
}

export function MapHome(): ReactNode {
  useBulkCreateLink();
  return <Home view="map" />;
}

/** The day as it runs; nothing can be changed here. */
export function LiveView(): ReactNode {
  return (
    <Guard levels={["live_overview_read"]} fallback={<Navigate to="/" replace />}>
      <Home view="live" />
    </Guard>
  );
}

export function CustomerView(): ReactNode {
  return (
    <Guard levels={["customer_view_read"]} fallback={<Navigate to="/" replace />}>
      <Home view="customer" />
    </Guard>
  );
}
