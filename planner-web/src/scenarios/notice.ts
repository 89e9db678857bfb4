import { fill, texts, toastInfo } from "@routewright/web";
import { useEffect, useRef } from "react";
import type { PlanContext } from "../plan/context.ts";
import { unservedOf } from "../plan/plan.ts";

/** Says once after an activation what the scenario holds: 10 s, 2 s when it is empty. */
export function useScenarioNotice({ scenario, plan, loading }: PlanContext): void {
  const told = useRef<number | null>(null);
  useEffect(() => {
    if (scenario === null || loading || told.current === scenario.id) return;
    told.current = scenario.id;
    const { name } = scenario;
    if (plan.jobs.length === 0) {
      toastInfo(fill(texts.scenarios.summaryEmpty, { name }), { id: "scenario", duration: 2_000 });
      return;
    }
    const unserved = unservedOf(plan.jobs).length;
    const jobs = plan.jobs.length;
    toastInfo(fill(texts.scenarios.summary, { name, jobs, served: jobs - unserved, unserved }), {
      id: "scenario",
      duration: 10_000,
    });
  }, [scenario, plan, loading]);
}
