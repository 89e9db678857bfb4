import {
  fill,
  messageOfError,
  type MoveAnswer,
  type PlanStep,
  type PlanSteps,
  request,
  texts,
  toastError,
  toastSuccess,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { catchUp } from "../plan/follow.ts";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { cachedPlan } from "../plan/queries.ts";
import { tellImpact } from "../moves/moves.ts";
import { queryClient } from "../ui/query-client.ts";

export type Way = "undo" | "redo";

/** What the step did, in words. */
export function whatOf({ kind }: PlanStep): string {
  return (texts.steps.kinds as Record<string, string>)[kind] ?? kind;
}

/** The steps that the user could take back or do again in the open plan; asked for anew when the plan has changed. */
export function useSteps(enabled: boolean): PlanSteps | undefined {
  const { scenarioId, plan } = usePlanContext();
  const { jobs, runs } = plan;
  const { data } = useQuery({
    queryKey: keys.steps(scenarioId ?? 0),
    queryFn: () => request<PlanSteps>(`/scenarios/${scenarioId ?? 0}/steps`, { quiet: true }),
    enabled: enabled && scenarioId !== null,
    retry: false,
  });
  useEffect(() => {
    if (scenarioId === null) return undefined;
    const timer = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: keys.steps(scenarioId) }),
      300,
    );
    return () => clearTimeout(timer);
  }, [scenarioId, jobs, runs]);
  return data;
}

/** Goes a step back or forth. */
export async function takeStep(scenarioId: number, way: Way): Promise<void> {
  try {
    // Of now: a shortcut may be quicker than what the buttons show.
    const steps = await request<PlanSteps>(`/scenarios/${scenarioId}/steps`, { quiet: true });
    const step = steps[way];
    if (step == null) return;
    const before = cachedPlan(scenarioId);
    await request<MoveAnswer>(`/scenarios/${scenarioId}/${way}`, {
      method: "PUT",
      body: { step_id: step.id },
      quiet: true,
    });
    toastSuccess(fill(way === "undo" ? texts.steps.undone : texts.steps.redone, { what: whatOf(step) }));
    await catchUp(scenarioId);
    tellImpact(before, cachedPlan(scenarioId));
  } catch (error) {
    toastError(messageOfError(error));
  }
  await queryClient.invalidateQueries({ queryKey: keys.steps(scenarioId) });
  await queryClient.invalidateQueries({ queryKey: keys.check(scenarioId) });
}
