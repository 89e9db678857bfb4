import type { Job, Run } from "@routewright/web";
import type { DragEvent } from "react";
import { moveJobsWithReason } from "../moves/moves.ts";
import { draggedJobs, isJobDrag } from "../plan/drag.ts";
import { dropPosition, percentOf, type Span } from "./scale.ts";
import { type Over, setOver } from "./state.ts";

interface Rows {
  scenarioId: number | null;
  editable: boolean;
  runs: ReadonlyMap<number, Run>;
  stops: ReadonlyMap<number, readonly Job[]>;
  span: Span;
}

interface Drops {
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Jobs dropped on a row go to its run, at the place of the moment where they were let go, or to unserved. */
export function useDrops(rows: Rows): Drops {
  return {
    onDragOver: (event) => {
      if (!isJobDrag(event)) return;
      const over = overOf(event, rows);
      setOver(over);
      if (over === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
    },
    onDragLeave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(null);
    },
    onDrop: (event) => {
      const over = overOf(event, rows);
      setOver(null);
      const jobIds = draggedJobs(event);
      if (over === null || rows.scenarioId === null || jobIds.length === 0) return;
      event.preventDefault();
      const { runId: run_id, seq } = over;
      moveJobsWithReason(rows.scenarioId, { run_id, job_ids: jobIds, seq, pool: false });
    },
  };
}

function overOf(event: DragEvent, { editable, runs, stops, span }: Rows): Over | null {
  const target = event.target;
  if (!editable || !(target instanceof Element)) return null;
  if (target.closest("[data-unserved]") !== null) return { runId: null, seq: null, at: 0 };
  const row = target.closest("[data-run]");
  const run = runs.get(Number(row?.getAttribute("data-run")));
  const box = row?.querySelector(".track")?.getBoundingClientRect();
  if (run === undefined || box === undefined || run.validated_at !== null) return null;
  const moment = span.start + ((event.clientX - box.left) / box.width) * (span.end - span.start);
  const list = stops.get(run.id) ?? [];
  const seq = dropPosition(list, moment);
  const next = list[seq - 1]?.eta ?? null;
  const last = list.at(-1)?.etd ?? null;
  const line = next ?? last;
  return { runId: run.id, seq, at: line === null ? 0 : percentOf(Date.parse(line), span) };
}
