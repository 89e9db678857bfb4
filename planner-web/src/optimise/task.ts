import {
  ApiError,
  fill,
  mayCall,
  messageOfError,
  type OptimisationTask,
  type OptimiseAnswer,
  type OptimiseOptions,
  request,
  session,
  texts,
  toastError,
  toastSuccess,
  toastWarning,
} from "@routewright/web";
import { create } from "zustand";
import { tellImpact } from "../moves/moves.ts";
import { openDialog, useDialogs } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { mergeById } from "../plan/plan.ts";
import { cachedPlan, cachePlan, reloadPlan } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

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
  /** Whether the summary opens at its end. */
  summary: boolean;
  /** The scenario whose optimisation ended last, until the notice of it is closed. */
  endedId: number | null;
}

/** The optimisation that runs. */
export const useOptimisation = create<OptimisationState>(() => ({
  scenarioId: null,
  background: false,
  status: "queued",
  progress: null,
  summary: true,
  endedId: null,
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
  /** Whether the summary opens at the end; the tour shows the result itself. Default true. */
  summary?: boolean;
}

/** What was wanted of each scenario last. */
const wanted = new Map<number, OptimiseOptions>();

/** Whether the user may optimise. */
export function mayOptimise(scenarioId: number): boolean {
  return mayCall("POST", `/optimise/scenarios/${scenarioId}`, session().user);
}

/** Goes on from the plan that stands, with the drivers of its runs and what was wanted last. */
export async function improveFurther(scenarioId: number): Promise<void> {
  const { jobs, runs } = cachedPlan(scenarioId);
  const last = { ...(wanted.get(scenarioId) ?? (await lastWanted(scenarioId))) };
  delete last.job_ids;
  const threshold = session().user?.organisation.settings.optimisation?.polling_threshold;
  await optimise({
    scenarioId,
    jobs: jobs.length,
    driverIds: [...new Set(runs.map((run) => run.driver_id))],
    options: { ...last, improve: true },
    threshold: threshold ?? POLLING_THRESHOLD,
  });
}

/** Of an optimisation that another window started it is known whether its runs were to be compact. */
async function lastWanted(scenarioId: number): Promise<OptimiseOptions> {
  const task = await taskOf(scenarioId);
  return task?.summary?.compact == null ? {} : { compact: true };
}

/** Optimises a scenario: directly when it is small, else in the background. */
export async function optimise({
  scenarioId,
  jobs,
  driverIds,
  options,
  threshold,
  summary = true,
}: OptimiseRequest): Promise<void> {
  const background = options.polling === true || jobs + driverIds.length >= threshold;
  wanted.set(scenarioId, options);
  set({ scenarioId, background, status: "queued", progress: null, summary, endedId: null });
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
  const opened = stop();
  if (!answer.success || answer.data === undefined) {
    toastError(answer.error ?? texts.optimise.failed);
    return;
  }
  const { scenario, runs, jobs } = answer.data;
  const from = cachedPlan(scenarioId);
  queryClient.setQueryData(keys.scenario(scenarioId), scenario);
  cachePlan(scenarioId, { jobs: mergeById(from.jobs, jobs), runs });
  void queryClient.invalidateQueries({ queryKey: keys.check(scenarioId) });
  tellStanding(answer);
  const { summary, unservedJobs = [] } = answer;
  showSummary(scenarioId, { status: "done", unservedJobs, summary }, opened);
  const served = jobs.filter((job) => job.run_id !== null).length;
  toastSuccess(fill(texts.optimise.done, { served, runs: runs.length, unserved: jobs.length - served }));
  if (from.runs.length > 0) tellImpact(from, cachedPlan(scenarioId));
}

/** Tells that the plan that stood was kept, and what became of jobs that were changed meanwhile. */
export function tellStanding({
  improved,
  meanwhile,
}: Pick<OptimisationTask, "improved" | "meanwhile">): void {
  if (improved === false) toastWarning(texts.optimise.notBetter);
  if (meanwhile === undefined || meanwhile === null) return;
  const [stayed, placed, unserved] = [meanwhile.stayed, meanwhile.placed, meanwhile.unserved].map(
    ({ length }) => length,
  );
  if (stayed || placed || unserved) {
    toastWarning(
      fill(texts.optimise.meanwhile, { stayed: stayed ?? 0, placed: placed ?? 0, unserved: unserved ?? 0 }),
    );
  }
}

/** Keeps the summary and opens it where that is wanted; one that is open already shows the new figures. */
function showSummary(scenarioId: number, task: OptimisationTask, opened: boolean): void {
  queryClient.setQueryData<OptimisationTask>(keys.optimisation(scenarioId), task);
  if (!opened) return;
  set({ endedId: scenarioId });
  const { open } = useDialogs.getState();
  if (!open.some(({ kind }) => kind === "optimisation-summary")) openDialog({ kind: "optimisation-summary" });
}

/** Tasks whose end was told; both the socket and the poller report it, and to those too who did not start it. */
const told = new Set<number>();

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
  const followed = useOptimisation.getState().scenarioId === scenarioId;
  const opened = followed ? stop() : true;
  if (!success) {
    // Who did not start it has lost nothing: the plan is as it was.
    if (followed)
      toastError(fill(texts.optimise.backgroundFailed, { error: error ?? texts.optimise.failed }));
    await reloadPlan(scenarioId);
    return;
  }
  const task = await taskOf(scenarioId);
  const id = task?.task_id;
  if (id !== undefined ? told.has(id) : !followed) return;
  if (id !== undefined) told.add(id);
  toastSuccess(texts.optimise.completed);
  await reloadPlan(scenarioId);
  if (task !== null) {
    tellStanding(task);
    showSummary(scenarioId, task, opened);
  }
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

/** Closes the notice of an optimisation that ended. */
export function closeEnded(): void {
  set({ endedId: null });
}

/** Forgets the optimisation that ran; whether its summary was wanted. */
function stop(): boolean {
  clearTimeout(poller);
  direct = null;
  const { summary } = useOptimisation.getState();
  set({ scenarioId: null, progress: null, summary: true });
  return summary;
}
