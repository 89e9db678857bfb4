import {
  ApiError,
  type Job,
  mayCall,
  request,
  type Run,
  type Scenario,
  session,
  texts,
  watchWrites,
} from "@routewright/web";
import { queryClient } from "../ui/query-client.ts";
import { type PlanChanges, withChanges } from "./changes.ts";
import { keys } from "./keys.ts";
import type { Plan } from "./plan.ts";

/** Pause before a change is asked for again that could not be fetched. */
const AGAIN_AFTER = 3_000;

/** What is known of an open plan. */
interface Followed {
  /** Versions that the loaded jobs and runs have at least. */
  jobs: number | null;
  runs: number | null;
  /** The newest version that was heard of. */
  heard: number;
  /** Rows may have been put into the plan that are as old as this. */
  floor: number | null;
  fetching: boolean;
  again: boolean;
  /** Asks again for what could not be fetched. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

const followed = new Map<number, Followed>();
const leaving = new Set<number>();
let open: number | null = null;
let applying: (scenarioId: number, change: (plan: Plan) => Plan) => boolean = () => false;
let left: (scenarioId: number) => void = () => undefined;

function of(scenarioId: number): Followed {
  const known = followed.get(scenarioId) ?? {
    jobs: null,
    runs: null,
    heard: 0,
    floor: null,
    fetching: false,
    again: false,
    timer: undefined,
  };
  followed.set(scenarioId, known);
  return known;
}

/** The version that the plan on the screen has; `null` while it is loaded. */
export function versionOf(scenarioId: number): number | null {
  const { jobs, runs } = of(scenarioId);
  return jobs === null || runs === null ? null : Math.min(jobs, runs);
}

/**
 * The version of a plan before its rows are read, so that what changes while they are read is fetched again.
 * Jobs and runs that are read at the same time share one question.
 */
export async function versionBefore(scenarioId: number): Promise<number> {
  const scenario = await queryClient.query({
    queryKey: keys.scenario(scenarioId),
    queryFn: () => request<Scenario>(`/scenarios/${scenarioId}`, { quiet: true }),
    staleTime: 0,
  });
  return scenario.version;
}

/** Rows were read that have at least this version. */
export function loaded(scenarioId: number, part: "jobs" | "runs", version: number): void {
  const known = of(scenarioId);
  known[part] = version;
  hear(scenarioId, version);
}

/** A version was heard of; what is missing is fetched. */
export function hear(scenarioId: number, version: number): void {
  const known = of(scenarioId);
  known.heard = Math.max(known.heard, version);
  const held = versionOf(scenarioId);
  if (held !== null && held < known.heard) void catchUp(scenarioId);
}

/** Has changes go through whoever shows more than the server has confirmed. */
export function applyThrough(apply: typeof applying): void {
  applying = apply;
}

/** Tells when the open scenario is there no longer. */
export function onGone(tell: typeof left): void {
  left = tell;
}

/**
 * Whether the server says that a scenario is there no longer. Any other refusal, and a 404 of somebody in between, says
 * nothing about the scenario.
 */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && error.message === texts.errors.noScenario;
}

/** Says that this page deletes the scenario itself, and knows. */
export function expectGone(scenarioId: number, gone: boolean): void {
  if (gone) leaving.add(scenarioId);
  else leaving.delete(scenarioId);
}

/** Says which plan is on the screen: writes carry its version. */
export function setOpen(scenarioId: number | null): void {
  open = scenarioId;
}

/** Fetches what changed since the version on the screen, until nothing is missing. */
export async function catchUp(scenarioId: number): Promise<void> {
  const known = of(scenarioId);
  known.again = true;
  if (known.fetching || leaving.has(scenarioId)) return;
  known.fetching = true;
  clearTimeout(known.timer);
  try {
    while (known.again) {
      known.again = false;
      const held = versionOf(scenarioId);
      if (held === null || !mayCall("GET", `/scenarios/${scenarioId}/changes`, session().user)) break;
      const since = Math.min(held, known.floor ?? held);
      known.floor = null;
      const changes = await request<PlanChanges>(`/scenarios/${scenarioId}/changes`, {
        query: { since },
        quiet: true,
      });
      await take(scenarioId, since, changes);
    }
  } catch (error) {
    if (leaving.has(scenarioId)) return;
    if (isGone(error)) left(scenarioId);
    // Rights that were taken come back with another session or a look at the window, not with time.
    else if (open === scenarioId && !(error instanceof ApiError && error.status === 403)) {
      known.timer = setTimeout(() => void catchUp(scenarioId), AGAIN_AFTER);
    }
  } finally {
    known.fetching = false;
  }
}

async function take(scenarioId: number, since: number, changes: PlanChanges): Promise<void> {
  const known = of(scenarioId);
  known.heard = Math.max(known.heard, changes.version);
  if (changes.reload) {
    known.heard = changes.version;
    await queryClient.invalidateQueries({ queryKey: keys.scenario(scenarioId) });
    await queryClient.invalidateQueries({ queryKey: keys.plan(scenarioId) });
    return;
  }
  if (changes.version > since) {
    const apply = (plan: Plan): Plan => withChanges(plan, changes);
    if (!applying(scenarioId, apply)) write(scenarioId, apply(read(scenarioId)));
    refresh(scenarioId, changes);
  }
  // A list that came in meanwhile may be older than what was just put into it.
  known.jobs = changes.version;
  known.runs = changes.version;
}

function read(scenarioId: number): Plan {
  return {
    jobs: queryClient.getQueryData<Job[]>(keys.jobs(scenarioId)) ?? [],
    runs: queryClient.getQueryData<Run[]>(keys.runs(scenarioId)) ?? [],
  };
}

function write(scenarioId: number, plan: Plan): void {
  queryClient.setQueryData<Job[]>(keys.jobs(scenarioId), [...plan.jobs]);
  queryClient.setQueryData<Run[]>(keys.runs(scenarioId), [...plan.runs]);
}

/** What else shows the changed rows is read anew where it is open. */
function refresh(scenarioId: number, changes: PlanChanges): void {
  const stale = (queryKey: readonly unknown[]): void => void queryClient.invalidateQueries({ queryKey });
  const runs = new Set(changes.runs.map(({ id }) => id));
  for (const job of changes.jobs) {
    stale(keys.job(job.id));
    if (job.run_id !== null) runs.add(job.run_id);
  }
  for (const run of runs) stale(keys.run(run));
  for (const id of changes.removed_job_ids) queryClient.removeQueries({ queryKey: keys.job(id) });
  for (const id of changes.removed_run_ids) queryClient.removeQueries({ queryKey: keys.run(id) });
  if (changes.items) stale(keys.units(scenarioId));
  if (changes.scenario || changes.jobs.length + changes.removed_job_ids.length > 0) {
    stale(keys.scenario(scenarioId));
  }
  if (changes.scenario) stale(keys.scenarios);
  stale(keys.check(scenarioId));
  stale(keys.jobPages);
}

/** Ids in a path that must be of the open plan, if the write is to carry its version. */
const OWN = /^\/(jobs|runs)\/(\d+)(\/|$)/;
/** Writes that are made on the open plan. */
const ON_PLAN = /^\/(jobs|runs|optimise|duplicate_job|units|returns)(\/|$)/;

watchWrites((_method, path) => {
  const scenarioId = open;
  if (scenarioId === null) return null;
  const held = versionOf(scenarioId);
  if (held === null) return null;
  const known = of(scenarioId);
  const headers: Record<string, string> = {};
  if (concerns(scenarioId, path)) headers["Plan-Version"] = String(held);
  return {
    headers,
    end: () => {
      // Its answer is put into the plan, and may be older than what came by the socket meanwhile.
      known.floor = Math.min(known.floor ?? held, held);
      void catchUp(scenarioId);
    },
  };
});

function concerns(scenarioId: number, path: string): boolean {
  if (path === `/scenarios/${scenarioId}` || path.startsWith(`/scenarios/${scenarioId}/`)) return true;
  if (!ON_PLAN.test(path)) return false;
  const [, noun, id] = OWN.exec(path) ?? [];
  if (id === undefined) return true;
  const { jobs, runs } = read(scenarioId);
  return (noun === "jobs" ? jobs : runs).some((row) => row.id === Number(id));
}
