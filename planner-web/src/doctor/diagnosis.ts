import {
  type Diagnoses,
  type JobDiagnosis,
  mayCall,
  type Remedied,
  type Remedy,
  request,
  type Run,
  session,
} from "@routewright/web";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { dispatchedRuns } from "../moves/reasons.ts";
import { keys } from "../plan/keys.ts";
import { type Plan, withAnswer } from "../plan/plan.ts";
import { cachedPlan, cachePlan, reloadPlan } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

/** Every run tried for one job. It speaks of the plan as it is now, so nothing older is shown. */
export function useDiagnosis(scenarioId: number, jobId: number): UseQueryResult<JobDiagnosis> {
  return useQuery({
    queryKey: keys.diagnosis(scenarioId, jobId),
    queryFn: () => request<JobDiagnosis>(`/scenarios/${scenarioId}/diagnosis/${jobId}`, { quiet: true }),
    gcTime: 0,
    staleTime: 0,
  });
}

/** All unserved and late jobs at once; asked for when somebody wants to know. */
export function useDiagnoses(scenarioId: number, asked: boolean): UseQueryResult<Diagnoses> {
  return useQuery({
    queryKey: keys.diagnosis(scenarioId, null),
    queryFn: () => request<Diagnoses>(`/scenarios/${scenarioId}/diagnosis`, { quiet: true }),
    enabled: asked,
    gcTime: 0,
    staleTime: 0,
  });
}

/** Whether the user may ask why, and apply what would help. */
export function mayAsk(scenarioId: number): boolean {
  return mayCall("GET", `/scenarios/${scenarioId}/diagnosis`, session().user);
}

export function mayApply(scenarioId: number): boolean {
  return mayCall("POST", `/scenarios/${scenarioId}/remedies`, session().user);
}

/** Runs that were sent to their drivers already and that a remedy changes: those that the jobs leave or come to. */
export function changedDispatched(
  plan: Plan,
  { job_id: job, linked_job_ids }: JobDiagnosis,
  remedy: Remedy,
): Run[] {
  const moved = [job, ...linked_job_ids, ...(remedy.moved_job_id === null ? [] : [remedy.moved_job_id])];
  const runs = new Set([
    ...dispatchedRuns(plan, moved, remedy.run_id),
    ...dispatchedRuns(plan, [], remedy.moved_to_run_id),
  ]);
  return [...runs];
}

/** Applies what was offered on this version of the plan; the server finds it anew or refuses. */
export async function applyRemedy(
  scenarioId: number,
  jobId: number,
  { kind }: Remedy,
  version: number,
  reasonId: number | null,
): Promise<Remedied> {
  const answer = await request<Remedied>(`/scenarios/${scenarioId}/remedies`, {
    method: "POST",
    body: { job_id: jobId, kind, version, scenario_reason_id: reasonId },
    quiet: true,
  });
  cachePlan(scenarioId, withAnswer(cachedPlan(scenarioId), answer.updated_runs));
  await reloadPlan(scenarioId);
  await queryClient.invalidateQueries({ queryKey: keys.diagnosis(scenarioId, null) });
  return answer;
}
