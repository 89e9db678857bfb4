import type { DragEvent } from "react";
import { say } from "../plan/presence.ts";

const TYPE = "application/x-routewright-jobs";

/** Puts jobs on the pointer. */
export function startJobDrag(event: DragEvent, jobIds: readonly number[]): void {
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData(TYPE, JSON.stringify(jobIds));
  say({ kind: "dragging", job_ids: [...jobIds] });
  // A drop may take the dragged element away, which then has no end of its drag.
  for (const end of ["dragend", "drop"]) document.addEventListener(end, () => say(null), { once: true });
}

export function isJobDrag(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(TYPE);
}

export function draggedJobs(event: DragEvent): number[] {
  try {
    const value: unknown = JSON.parse(event.dataTransfer.getData(TYPE));
    return Array.isArray(value) ? value.filter((id): id is number => typeof id === "number") : [];
  } catch {
    return [];
  }
}
