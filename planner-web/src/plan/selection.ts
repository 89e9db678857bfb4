import { create } from "zustand";

/** Exceptions are told in the live view alone. */
export type PanelName = "jobs" | "runs" | "drivers" | "exceptions";
/** Which jobs the list and the map show; after `unserved:` the reason. */
export type JobFilter = "all" | "unserved" | "served" | "late" | "problem" | `unserved:${string}`;

interface Selection {
  /** Jobs that are marked in lists, on the map and in the timeline. */
  jobIds: ReadonlySet<number>;
  hoveredJobId: number | null;
  hoveredRunId: number | null;
  hiddenRunIds: ReadonlySet<number>;
  /** Runs of the list whose stops are shown. */
  openRunIds: ReadonlySet<number>;
  /** Drivers chosen for the optimisation; `null`: as the scenario says. */
  driverIds: ReadonlySet<number> | null;
  panel: PanelName | null;
  jobFilter: JobFilter;
  timelineOpen: boolean;
}

const initial: Selection = {
  jobIds: new Set(),
  hoveredJobId: null,
  hoveredRunId: null,
  hiddenRunIds: new Set(),
  openRunIds: new Set(),
  driverIds: null,
  panel: "jobs",
  jobFilter: "all",
  timelineOpen: true,
};

/** What is marked and what is open on the map page. */
export const useSelection = create<Selection>(() => initial);

const set = useSelection.setState;

export function clearSelection(): void {
  const { panel, timelineOpen } = useSelection.getState();
  set({ ...initial, panel, timelineOpen });
}

export function hoverJob(id: number | null): void {
  if (useSelection.getState().hoveredJobId !== id) set({ hoveredJobId: id });
}

export function hoverRun(id: number | null): void {
  if (useSelection.getState().hoveredRunId !== id) set({ hoveredRunId: id });
}

/** The run is no longer on the screen, so nobody can take the pointer off it. */
export function leaveRun(id: number): void {
  if (useSelection.getState().hoveredRunId === id) set({ hoveredRunId: null });
}

/** Marks one job; with `add` it joins or leaves what is marked already. */
export function selectJob(id: number, add = false): void {
  set(({ jobIds }) => {
    if (!add) return { jobIds: jobIds.size === 1 && jobIds.has(id) ? new Set() : new Set([id]) };
    const next = new Set(jobIds);
    if (!next.delete(id)) next.add(id);
    return { jobIds: next };
  });
}

/** The job, with all others that are marked if it is one of them. */
export function markedWith(id: number): number[] {
  const { jobIds } = useSelection.getState();
  return jobIds.has(id) ? [...jobIds] : [id];
}

export function selectJobs(ids: Iterable<number>): void {
  set({ jobIds: new Set(ids) });
}

export function toggleRunShown(id: number): void {
  set(({ hiddenRunIds }) => {
    const next = new Set(hiddenRunIds);
    if (!next.delete(id)) next.add(id);
    return { hiddenRunIds: next };
  });
}

export function toggleRunOpen(id: number): void {
  set(({ openRunIds }) => {
    const next = new Set(openRunIds);
    if (!next.delete(id)) next.add(id);
    return { openRunIds: next };
  });
}

export function chooseDrivers(ids: Iterable<number>): void {
  set({ driverIds: new Set(ids) });
}

export function openPanel(panel: PanelName | null): void {
  set({ panel });
}

export function filterJobs(jobFilter: JobFilter): void {
  set({ jobFilter });
}

export function toggleTimeline(): void {
  set(({ timelineOpen }) => ({ timelineOpen: !timelineOpen }));
}
