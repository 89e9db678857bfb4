import { type Run, request, texts, toastSuccess, withToast } from "@routewright/web";
import { tellImpact } from "../moves/moves.ts";
import { keys } from "../plan/keys.ts";
import { withAnswer } from "../plan/plan.ts";
import { cachedPlan, cachePlan, runs } from "../plan/queries.ts";
import { failureText } from "../ui/failure.ts";
import { queryClient } from "../ui/query-client.ts";

/** Takes a whole run with its jobs from an answer into the plan. */
export async function keepRun(run: Run): Promise<void> {
  const before = cachedPlan(run.scenario_id);
  cachePlan(run.scenario_id, withAnswer(before, [run]));
  tellImpact(before, cachedPlan(run.scenario_id));
  await queryClient.invalidateQueries({ queryKey: keys.run(run.id) });
  await queryClient.invalidateQueries({ queryKey: keys.check(run.scenario_id) });
}

/** Delays (positive) or advances (negative) a run by minutes. */
export async function delayRun(runId: number, delay: number, reasonId: number | null): Promise<void> {
  const body = { delay, scenario_reason_id: reasonId };
  const run = await request<Run>(`/runs/${runId}/delay`, { method: "POST", body });
  toastSuccess(delay > 0 ? texts.runs.delayed : texts.runs.advanced);
  await keepRun(run);
}

/** The run as a delay would leave it; nothing is changed. */
export async function delayedRun(runId: number, delay: number): Promise<Run> {
  const body = { delay, dry_run: true };
  return request<Run>(`/runs/${runId}/delay`, { method: "POST", body, quiet: true });
}

export async function reverseRun(runId: number, reasonId: number | null): Promise<void> {
  const run = await request<Run>(`/runs/${runId}/reverse_sequence`, {
    method: "POST",
    query: { scenario_reason_id: reasonId },
  });
  toastSuccess(texts.runs.reversed);
  await keepRun(run);
}

export async function deleteRun(run: Run): Promise<void> {
  await runs.remove(run.id);
  queryClient.setQueryData<Run[]>(keys.runs(run.scenario_id), (list) =>
    list?.filter(({ id }) => id !== run.id),
  );
}

interface Told {
  success: boolean;
  description: string;
}

/** A message to or from the freight forwarder about one run. */
export async function callForwarder(path: string, run: Run): Promise<void> {
  const call = request<Told>(path, { method: "POST", body: { run_id: run.id }, quiet: true });
  await withToast(call, {
    loading: texts.tracking.sending,
    success: ({ description }) => description || texts.tracking.sent,
    failure: failureText(texts.runs.deliveryOutFailed),
  }).then(
    () => refreshRun(run),
    () => undefined,
  );
}

/** Reloads one run and the lists that show it. */
export async function refreshRun(run: Run): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.run(run.id) }),
    queryClient.invalidateQueries({ queryKey: keys.plan(run.scenario_id) }),
  ]);
}
