import { create } from "zustand";
import { persisted } from "../ui/persisted.ts";

/** How the timeline is looked at, kept in the browser. */
export const useTimelineView = persisted<{
  /** Per cent of the room beside or below the map. */
  size: number;
  /** Pixels of an hour; 0: all hours fit. */
  hour: number;
  /** The same in the live view; below 0: as many as lie around now. */
  liveHour: number;
}>("timelineView", { size: 38, hour: 0, liveHour: -1 });

export const SMALLEST = 15;
export const LARGEST = 85;

/** Gives the timeline a share of the room, in per cent. */
export function resizeTimeline(size: number): void {
  useTimelineView.setState({ size: Math.round(Math.min(LARGEST, Math.max(SMALLEST, size)) * 10) / 10 });
}

/** Where the jobs on the pointer would go. */
export interface Over {
  /** `null`: to unserved. */
  runId: number | null;
  /** Position from 1. */
  seq: number | null;
  /** Place in the track, 0 to 100. */
  at: number;
}

interface TimelineState {
  /** The stop that the keyboard is at. */
  activeId: number | null;
  over: Over | null;
}

/** What happens in the timeline just now; rows and stops take from it what concerns them. */
export const useTimeline = create<TimelineState>(() => ({ activeId: null, over: null }));

export function setOver(over: Over | null): void {
  const before = useTimeline.getState().over;
  if (before?.runId === over?.runId && before?.seq === over?.seq && (before === null) === (over === null))
    return;
  useTimeline.setState({ over });
}

/** The stop that the tooltip speaks of, and its element. */
type Tip = { jobId: number; element: Element } | null;

/** Apart from the rest: it follows the pointer, and no row wants to know of it. */
export const useTip = create<{ tip: Tip }>(() => ({ tip: null }));

export function setTip(tip: Tip): void {
  if (useTip.getState().tip?.element !== tip?.element) useTip.setState({ tip });
}
