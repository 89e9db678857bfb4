import {
  ApiError,
  fill,
  messageOfError,
  type OptimisationTask,
  type OptimiseAnswer,
  type OptimiseOptions,
  request,
  texts,
  toastError,
  toastSuccess,
  toastWarning,
  type UnservedJob,
} from "@routewright/web";
import { create } from "zustand";
import { tellImpact } from "../moves/moves.ts";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { mergeById } from "../plan/plan.ts";
import { cachedPlan, cachePlan, reloadPlan } from "../plan/queries.ts";
import { queryClient } from "../shell/query-client.ts";

/** Jobs plus drivers from which an optimisation runs in the background. */
export const POLLING_THRESHOLD = 200;
const FIRST_POLL = 3_000;
const SLOWEST_POLL = 10_000;
const GIVE_UP_AFTER = 15 * 60_000;

interface OptimisationState {
  scenarioId: number | null;
  background: boolean;
  status: "queued" | "running";
  /** 0 to 100; `null`: unknown. */
  progress: number | null;
  /** Jobs that the last optimisation could not place. */
  unserved: readonly UnservedJob[];
}

/** The optimisation that runs, and what the last one left over. */
export const useOptimisation = create<OptimisationState>(() => ({
  scenarioId: null,
  background: false,
  status: "queued",
  progress: null,
  unserved: [],
}));

const set = useOptimisation.setState;
let poller: ReturnType<typeof setTimeout> | undefined;
let direct: AbortController | null = null;

export interface OptimiseRequest {
  scenarioId: number;
  jobs: number;
  driverIds: readonly number[];
  options: OptimiseOptions;
  threshold: number;
}

/** Optimises a scenario: directly when it is small, else in the background. */
export async function optimise({
  scenarioId,
  jobs,
  driverIds,
  options,
  threshold,
}: OptimiseRequest): Promise<void> {
  const background = options.polling === true || jobs + driverIds.length >= threshold;
  set({ scenarioId, background, status: "queued", progress: null, unserved: [] });
  const body = { driver_ids: driverIds, options };
  try {
    if (background) {
      await request<OptimisationTask>(`/optimise/background/scenarios/${scenarioId}`, {
        method: "POST",
        body,
        quiet: true,
      });
      watchBackground(scenarioId);
      return;
    }
    direct = new AbortController();
    set({ status: "running" });
    const answer = await request<OptimiseAnswer>(`/optimise/scenarios/${scenarioId}`, {
      method: "POST",
      body,
      quiet: true,
      signal: direct.signal,
    });
    finish(scenarioId, answer);
  } catch (error) {
    stop();
    const aborted = error instanceof DOMException && error.name === "AbortError";
    if (!aborted) toastError(messageOfError(error) || texts.optimise.failed);
    // Somebody else optimises this scenario: follow theirs.
    if (background && error instanceof ApiError && error.status === 409) watchBackground(scenarioId);
  }
}

/** Takes over the answer of an optimisation of a scenario or of one run. */
export function finish(scenarioId: number, answer: OptimiseAnswer): void {
  stop();
  if (!answer.success || answer.data === undefined) {
    toastError(answer.error ?? texts.optimise.failed);
    return;
  }
  const { scenario, runs, jobs } = answer.data;
  const from = cachedPlan(scenarioId);
  queryClient.setQueryData(keys.scenario(scenarioId), scenario);
  cachePlan(scenarioId, { jobs: mergeById(from.jobs, jobs), runs });
  void queryClient.invalidateQueries({ queryKey: keys.check(scenarioId) });
  tellUnserved(answer.unservedJobs ?? []);
  const served = jobs.filter((job) => job.run_id !== null).length;
  toastSuccess(fill(texts.optimise.done, { served, runs: runs.length, unserved: jobs.length - served }));
  if (from.runs.length > 0) tellImpact(from, cachedPlan(scenarioId));
}

function tellUnserved(unserved: readonly UnservedJob[]): void {
  set({ unserved });
  if (unserved.length === 0) return;
  toastWarning(fill(texts.runs.toUnserved, { n: unserved.length }));
  openDialog({ kind: "unserved" });
}

/** Polls a background optimisation until it ends; the socket may be faster. */
export function watchBackground(scenarioId: number): void {
  clearTimeout(poller);
  set({ scenarioId, background: true });
  const began = Date.now();
  const poll = async (pause: number): Promise<void> => {
    if (useOptimisation.getState().scenarioId !== scenarioId) return;
    const task = await taskOf(scenarioId);
    if (useOptimisation.getState().scenarioId !== scenarioId) return;
    if (task?.status === "done" || task?.status === "failed") {
      await endBackground(scenarioId, task.status === "done", task.error ?? null);
      return;
    }
    if (Date.now() - began > GIVE_UP_AFTER) {
      stop();
      toastError(texts.optimise.failed);
      return;
    }
    if (task !== null) set({ status: task.status, progress: task.progress ?? null });
    poller = setTimeout(() => void poll(Math.min(SLOWEST_POLL, pause * 1.25)), pause);
  };
  poller = setTimeout(() => void poll(FIRST_POLL), 1_000);
}

async function taskOf(scenarioId: number): Promise<OptimisationTask | null> {
  try {
    return await request<OptimisationTask>(`/optimise/background/scenarios/${scenarioId}`, { quiet: true });
  } catch (error) {
    // No task any more: it ended and was cleared.
    if (error instanceof ApiError && error.status === 404) return { status: "done" };
    return null;
  }
}

/** Tells the end of a background optimisation once, whoever reports it first, and loads its result. */
export async function endBackground(
  scenarioId: number,
  success: boolean,
  error: string | null,
): Promise<void> {
  if (useOptimisation.getState().scenarioId !== scenarioId) return;
  stop();
  if (success) toastSuccess(texts.optimise.completed);
  else toastError(fill(texts.optimise.backgroundFailed, { error: error ?? texts.optimise.failed }));
  const task = success ? await taskOf(scenarioId) : null;
  await reloadPlan(scenarioId);
  tellUnserved(task?.unservedJobs ?? []);
}

/** Stops the running optimisation; the plan stays as it was. */
export async function cancelOptimisation(): Promise<void> {
  const { scenarioId, background } = useOptimisation.getState();
  if (scenarioId === null) return;
  if (!background) {
    direct?.abort();
    stop();
    return;
  }
  try {
    await request(`/optimise/background/scenarios/${scenarioId}`, { method: "DELETE", quiet: true });
    stop();
    toastSuccess(texts.optimise.cancelled);
  } catch (error) {
    toastError(messageOfError(error));
  }
}

function stop(): void {
  clearTimeout(poller);
  direct = null;
  set({ scenarioId: null, progress: null });
}
