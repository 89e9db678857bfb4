import { Alert, Box, Button, Chip, LinearProgress, Typography } from "@mui/material";
import { fill, type Job, type JobDiagnosis, type Run, texts } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { flyTo } from "../map/fit.ts";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import type { Problem, ProblemKind } from "../plan/problems.ts";
import { ProblemIcon } from "../plan/ProblemIcon.tsx";
import { selectJobs } from "../plan/selection.ts";
import { useProblems } from "../plan/use-problems.ts";
import { Modal } from "../ui/Modal.tsx";
import { mayAsk, useDiagnoses } from "./diagnosis.ts";

/** Pixels. */
const ROW = 56;
const KINDS = Object.keys(texts.problems.kinds) as ProblemKind[];

/** Everything that is wrong with the plan, by kind; each line leads to its job or run. */
export function ProblemsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { scenarioId, plan } = usePlanContext();
  const { all } = useProblems();
  const [kind, setKind] = useState<ProblemKind | null>(null);
  const [asked, setAsked] = useState(false);
  const explained = useDiagnoses(scenarioId ?? 0, asked);
  const shown = useMemo(() => all.filter((problem) => kind === null || problem.kind === kind), [all, kind]);
  const reasons = useMemo(
    () => new Map(explained.data?.jobs.map((job) => [job.job_id, job])),
    [explained.data],
  );
  const asks = mayAsk(scenarioId ?? 0) && all.some(({ kind: of }) => of === "unserved" || of === "late");
  return (
    <Modal
      title={texts.problems.title}
      width={760}
      {...(all.length > 0 && { height: "80vh" })}
      onClose={onClose}
      actions={
        <>
          <Button sx={{ mr: "auto" }} onClick={() => openDialog({ kind: "optimisation-summary" })}>
            {texts.optimise.summaryTitle}
          </Button>
          {asks && (
            <Button loading={asked && explained.isFetching} onClick={() => setAsked(true)}>
              {texts.problems.explainAll}
            </Button>
          )}
          <Button
            disabled={shown.length === 0}
            onClick={() => {
              selectJobs(shown.flatMap(({ jobId }) => jobId ?? []));
              onClose();
            }}
          >
            {texts.map.showOnMap}
          </Button>
        </>
      }
    >
      {all.length === 0 ? (
        <Alert severity={plan.jobs.length === 0 ? "info" : "success"}>
          {plan.jobs.length === 0 ? texts.jobs.empty : texts.problems.none}
        </Alert>
      ) : (
        <Box sx={{ display: "flex", flexDirection: "column", gap: 1, height: "100%", minHeight: 240 }}>
          <Box sx={{ display: "flex", gap: 0.5, flexWrap: "wrap" }}>
            {KINDS.map((name) => {
              const n = all.filter((problem) => problem.kind === name).length;
              return n === 0 ? null : (
                <Chip
                  key={name}
                  label={`${texts.problems.kinds[name]} ${n}`}
                  color={kind === name ? "primary" : "default"}
                  aria-pressed={kind === name}
                  onClick={() => setKind(kind === name ? null : name)}
                />
              );
            })}
          </Box>
          {asked && explained.isFetching && <LinearProgress aria-label={texts.problems.diagnosing} />}
          {(explained.data?.left_out ?? 0) > 0 && (
            <Alert severity="info">
              {fill(texts.problems.explainedSome, { n: explained.data?.left_out ?? 0 })}
            </Alert>
          )}
          {(explained.data?.drivers_left_out ?? 0) > 0 && (
            <Alert severity="info">
              {fill(texts.problems.untriedDrivers, { n: explained.data?.drivers_left_out ?? 0 })}
            </Alert>
          )}
          <Lines problems={shown} reasons={reasons} onClose={onClose} />
        </Box>
      )}
    </Modal>
  );
}

interface LinesProps {
  problems: readonly Problem[];
  reasons: ReadonlyMap<number, JobDiagnosis>;
  onClose: () => void;
}

function Lines({ problems, reasons, onClose }: LinesProps): ReactNode {
  const { plan } = usePlanContext();
  const jobs = useMemo(() => new Map(plan.jobs.map((job) => [job.id, job])), [plan.jobs]);
  const runs = useMemo(() => new Map(plan.runs.map((run) => [run.id, run])), [plan.runs]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: problems.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    useFlushSync: false,
  });
  return (
    <Box ref={scroller} sx={{ flex: 1, minHeight: 0, overflow: "auto" }}>
      <Box
        role="list"
        aria-label={texts.problems.title}
        sx={{ position: "relative", height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const problem = problems[index];
          if (problem === undefined) return null;
          return (
            <Line
              key={index}
              top={start}
              problem={problem}
              job={problem.jobId === null ? undefined : jobs.get(problem.jobId)}
              run={problem.runId === null ? undefined : runs.get(problem.runId)}
              found={problem.jobId === null ? undefined : reasons.get(problem.jobId)}
              onClose={onClose}
            />
          );
        })}
      </Box>
    </Box>
  );
}

interface LineProps {
  top: number;
  problem: Problem;
  job: Job | undefined;
  run: Run | undefined;
  found: JobDiagnosis | undefined;
  onClose: () => void;
}

function Line({ top, problem, job, run, found, onClose }: LineProps): ReactNode {
  const { scenarioId } = usePlanContext();
  const why = problem.kind === "unserved" || problem.kind === "late";
  const names = [job?.uid, run?.uid].filter((name) => name !== undefined).join(" · ");
  const show = (): void => {
    if (job === undefined) {
      if (run !== undefined) openDialog({ kind: "run", runId: run.id });
      return;
    }
    selectJobs([job.id]);
    flyTo(job.location);
    onClose();
  };
  const remedy = found?.remedies[0]?.text;
  return (
    <Box
      role="listitem"
      sx={{
        position: "absolute",
        insetInline: 0,
        top,
        height: ROW,
        display: "flex",
        alignItems: "center",
        gap: 1,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <ProblemIcon problems={[problem]} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="subtitle2" noWrap>
          {names}: {problem.text}
        </Typography>
        <Typography variant="caption" color="textSecondary" noWrap component="div">
          {found === undefined
            ? texts.problems.kinds[problem.kind]
            : [found.text, remedy].filter((text) => text !== undefined).join(" → ")}
        </Typography>
      </Box>
      {why && job !== undefined && mayAsk(scenarioId ?? 0) && (
        <Button
          aria-label={`${texts.problems.why} ${job.uid}`}
          onClick={() => openDialog({ kind: "diagnosis", jobId: job.id })}
        >
          {texts.problems.why}
        </Button>
      )}
      <Button aria-label={`${texts.problems.showOnMap} ${names}`} onClick={show}>
        {texts.problems.showOnMap}
      </Button>
    </Box>
  );
}
