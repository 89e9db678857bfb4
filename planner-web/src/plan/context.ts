import type { Scenario } from "@routewright/web";
import { createContext, createElement, type ReactNode, useContext, useMemo } from "react";
import type { Plan } from "./plan.ts";

/** The active scenario without its plan: what shows no more is not drawn anew with every move of a job. */
export interface ScenarioContext {
  scenario: Scenario | null;
  scenarioId: number | null;
  loading: boolean;
  /** Why scenario or plan could not be loaded. */
  error: Error | null;
  activate: (id: number) => void;
  /** Whether the plan has runs. */
  hasRuns: boolean;
}

/** What all parts of the map page share: the active scenario and its plan. */
export interface PlanContext extends Omit<ScenarioContext, "hasRuns"> {
  plan: Plan;
}

const Context = createContext<PlanContext | null>(null);
const WithoutPlan = createContext<ScenarioContext | null>(null);

export function PlanProvider({ value, children }: { value: PlanContext; children: ReactNode }): ReactNode {
  const { scenario, scenarioId, loading, error, activate, plan } = value;
  const hasRuns = plan.runs.length > 0;
  const scenarioValue = useMemo(
    () => ({ scenario, scenarioId, loading, error, activate, hasRuns }),
    [scenario, scenarioId, loading, error, activate, hasRuns],
  );
  return createElement(
    WithoutPlan.Provider,
    { value: scenarioValue },
    createElement(Context.Provider, { value }, children),
  );
}

export function usePlanContext(): PlanContext {
  return given(useContext(Context));
}

export function useScenarioContext(): ScenarioContext {
  return given(useContext(WithoutPlan));
}

function given<T>(value: T | null): T {
  if (value === null) throw new Error("the plan is asked for outside of PlanProvider");
  return value;
}
