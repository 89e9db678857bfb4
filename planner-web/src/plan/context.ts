import type { Scenario } from "@routewright/web";
import { createContext, useContext } from "react";
import type { Plan } from "./plan.ts";

/** What all parts of the map page share: the active scenario and its plan. */
export interface PlanContext {
  scenario: Scenario | null;
  scenarioId: number | null;
  plan: Plan;
  loading: boolean;
  /** Why scenario or plan could not be loaded. */
  error: Error | null;
  activate: (id: number) => void;
}

const Context = createContext<PlanContext | null>(null);

export const PlanProvider = Context.Provider;

export function usePlanContext(): PlanContext {
  const value = useContext(Context);
  if (value === null) throw new Error("usePlanContext outside of PlanProvider");
  return value;
}
