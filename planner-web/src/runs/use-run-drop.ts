import { type Run, useLevel } from "@routewright/web";
import { type DragEvent, useState } from "react";
import { moveJobsWithReason } from "../moves/moves.ts";
import { usePlanContext } from "../plan/context.ts";
import { draggedJobs, isJobDrag } from "../plan/drag.ts";
import { useMayEdit } from "../ui/view.ts";

interface RunDrop {
  /** Jobs hang over the card. */
  over: boolean;
  handlers: {
    onDragOver?: (event: DragEvent) => void;
    onDragLeave?: (event: DragEvent) => void;
    onDrop?: (event: DragEvent) => void;
  };
}

/** Jobs that are dropped on a run's card go to its end. */
export function useRunDrop(run: Run): RunDrop {
  const { scenarioId } = usePlanContext();
  const [over, setOver] = useState(false);
  const edits = useMayEdit();
  const writes = useLevel("runs_write");
  if (!edits || !writes || run.validated_at !== null || scenarioId === null)
    return { over: false, handlers: {} };
  return {
    over,
    handlers: {
      onDragOver: (event) => {
        if (!isJobDrag(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "move";
        setOver(true);
      },
      onDragLeave: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event) => {
        event.preventDefault();
        setOver(false);
        const jobIds = draggedJobs(event);
        if (jobIds.length > 0) {
          moveJobsWithReason(scenarioId, { run_id: run.id, job_ids: jobIds, seq: null, pool: false });
        }
      },
    },
  };
}
