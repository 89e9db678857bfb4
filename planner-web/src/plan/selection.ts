import { create } from "zustand";

export type PanelName = "jobs" | "runs" | "drivers";

interface Selection {
  /** Jobs that are marked in lists, on the map and in the timeline. */
  jobIds: ReadonlySet<number>;
  hoveredJobId: number | null;
  hoveredRunId: number | null;
  hiddenRunIds: ReadonlySet<number>;
  /** Drivers chosen for the optimisation; `null`: as the scenario says. */
  driverIds: ReadonlySet<number> | null;
  panel: PanelName | null;
  timelineOpen: boolean;
}

const initial: Selection = {
  jobIds: new Set(),
  hoveredJobId: null,
  hoveredRunId: null,
  hiddenRunIds: new Set(),
  driverIds: null,
  panel: "jobs",
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

/** Marks one job; with `add` it joins or leaves what is marked already. */
export function selectJob(id: number, add = false): void {
  set(({ jobIds }) => {
    if (!add) return { jobIds: jobIds.size === 1 && jobIds.has(id) ? new Set() : new Set([id]) };
    const next = new Set(jobIds);
    if (!next.delete(id)) next.add(id);
    return { jobIds: next };
  });
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

export function chooseDrivers(ids: Iterable<number>): void {
  set({ driverIds: new Set(ids) });
}

export function openPanel(panel: PanelName | null): void {
  set({ panel });
}

export function toggleTimeline(): void {
  set(({ timelineOpen }) => ({ timelineOpen: !timelineOpen }));
}
