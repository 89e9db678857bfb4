import { Box, Button, MenuItem, TextField } from "@mui/material";
import { fill, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Effect } from "../moves/Effect.tsx";
import { effectOf, moveJobs } from "../moves/moves.ts";
import { dispatchedRuns } from "../moves/reasons.ts";
import { usePlanContext } from "../plan/context.ts";
import { useDriverName } from "../plan/DriverName.tsx";
import { stopsOf } from "../plan/plan.ts";
import { ReasonChoice } from "../scenarios/ReasonChoice.tsx";
import { Modal } from "../ui/Modal.tsx";

const UNSERVED = "unserved";
const END = "end";

interface MoveDialogProps {
  jobIds: number[];
  onClose: () => void;
}

/** Moves jobs without dragging: choose a run and a position. */
export function MoveDialog({ jobIds, onClose }: MoveDialogProps): ReactNode {
  const { plan, scenarioId } = usePlanContext();
  const nameOf = useDriverName();
  const jobs = plan.jobs.filter((job) => jobIds.includes(job.id));
  const single = jobs.length === 1 ? jobs[0] : undefined;
  const open = plan.runs.filter((run) => run.validated_at === null);
  const [runId, setRunId] = useState(String(single?.run_id ?? open[0]?.id ?? UNSERVED));
  const [position, setPosition] = useState(END);
  const stops =
    runId === UNSERVED ? [] : stopsOf(plan.jobs, Number(runId)).filter((job) => !jobIds.includes(job.id));
  const dispatched = dispatchedRuns(plan, jobIds, runId === UNSERVED ? null : Number(runId)).length > 0;
  const [why, setWhy] = useState<number | null>(null);
  const wanted = {
    run_id: runId === UNSERVED ? null : Number(runId),
    job_ids: jobIds,
    seq: position === END ? null : Number(position),
    pool: false,
  };
  // What is chosen at first is where it is: nobody asks what that would do.
  const stays = position === END && jobs.every((job) => job.run_id === wanted.run_id);
  const move = (): void => {
    if (scenarioId === null) return;
    moveJobs(scenarioId, { ...wanted, scenario_reason_id: dispatched ? why : null });
    onClose();
  };
  return (
    <Modal
      title={
        single === undefined
          ? fill(texts.runs.moveManyTitle, { n: jobIds.length })
          : fill(texts.runs.moveTitle, { uid: single.uid })
      }
      width={420}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" onClick={move}>
            {texts.runs.move}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        <TextField
          select
          autoFocus
          label={texts.runs.moveRun}
          value={runId}
          onChange={(event) => {
            setRunId(event.target.value);
            setPosition(END);
          }}
        >
          <MenuItem value={UNSERVED}>{texts.runs.unserved}</MenuItem>
          {open.map((run) => (
            <MenuItem key={run.id} value={String(run.id)}>
              {[run.uid, nameOf(run)].filter(Boolean).join(" · ")}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          label={texts.runs.movePosition}
          value={position}
          disabled={runId === UNSERVED}
          onChange={(event) => setPosition(event.target.value)}
        >
          {stops.map((job, index) => (
            <MenuItem key={job.id} value={String(index + 1)}>
              {fill(texts.runs.movePositionBefore, { seq: index + 1, uid: job.uid })}
            </MenuItem>
          ))}
          <MenuItem value={END}>{texts.runs.moveAtEnd}</MenuItem>
        </TextField>
        <Effect of={stays ? null : JSON.stringify(wanted)} ask={() => effectOf(wanted)} />
        {dispatched && <ReasonChoice value={why} onChange={setWhy} />}
      </Box>
    </Modal>
  );
}
