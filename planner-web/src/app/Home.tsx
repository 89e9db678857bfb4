import { type AccessLevel, holds, useSession, type ViewName } from "@routewright/web";
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from "react";
import { Navigate } from "react-router";
import { type PlanContext, PlanProvider } from "../plan/context.ts";
import { useBulkCreateLink } from "../jobs/bulk-link.ts";
import { useMapData, usePlan, useScenario } from "../plan/queries.ts";
import { openPanel } from "../plan/selection.ts";
import { useActiveScenario } from "../plan/active-scenario.ts";
import { useFollow } from "../plan/use-follow.ts";
import { useGone } from "../scenarios/gone.ts";
import { RoadProvider } from "../road/RoadProvider.tsx";
import { useScenarioNotice } from "../scenarios/notice.ts";
import { useLiveScenario } from "../tracking/live.ts";
import { Layout } from "./Layout.tsx";
import { useTodaysPlan } from "./todays-plan.ts";
import { useSayEditing } from "./say-editing.ts";
import { VIEW_TITLES, ViewContext } from "../ui/view.ts";

const PRODUCT = "Routewright";

function Home({ view }: { view: ViewName }): ReactNode {
  const { id, activate } = useActiveScenario();
  const scenario = useScenario(id);
  const { plan, loading, error: planError } = usePlan(id);
  const problem = scenario.error ?? planError;
  const error = useGone(id, problem, activate) ? null : problem;
  const value = useMemo<PlanContext>(
    () => ({ scenario: scenario.data ?? null, scenarioId: id, plan, loading, error, activate }),
    [scenario.data, id, plan, loading, error, activate],
  );
  useEffect(() => {
    const title = VIEW_TITLES[view];
    document.title = title === undefined ? PRODUCT : `${title} · ${PRODUCT}`;
    return () => {
      document.title = PRODUCT;
    };
  }, [view]);
  useMapData(id);
  useScenarioNotice(value);
  useLiveScenario(value.scenario);
  useFollow(id);
  useSayEditing();
  return (
    <ViewContext.Provider value={view}>
      <PlanProvider value={value}>
        <RoadProvider>
          <Layout />
        </RoadProvider>
      </PlanProvider>
    </ViewContext.Provider>
  );
}

export function MapHome(): ReactNode {
  useBulkCreateLink();
  return <Home view="map" />;
}

/** The day as it runs, its exceptions first; the plan of today unless the address names one. */
export function LiveView(): ReactNode {
  useLayoutEffect(() => {
    openPanel("exceptions");
    return () => openPanel("jobs");
  }, []);
  const opens = useAnyLevel("live_overview_read", "live_overview_login");
  const today = useTodaysPlan();
  if (!opens) return <Navigate to="/" replace />;
  if (today === undefined) return null;
  return today === null ? <Home view="live" /> : <Navigate to={`?active_scenario=${today}`} replace />;
}

export function CustomerView(): ReactNode {
  const opens = useAnyLevel("customer_view_read", "customer_view_login");
  return opens ? <Home view="customer" /> : <Navigate to="/" replace />;
}

/** Whoever is restricted to a view must get in, else two redirects chase each other. */
function useAnyLevel(...levels: AccessLevel[]): boolean {
  return useSession(({ user }) => levels.some((level) => holds(user, level)));
}
