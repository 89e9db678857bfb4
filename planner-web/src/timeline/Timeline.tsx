import { Box, Typography } from "@mui/material";
import { clockText, fill, type Job, type Run, texts, useLevel, useSession } from "@routewright/web";
import { type DragEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { type moveJobs, moveJobsWithReason } from "../moves/moves.ts";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { stopsByRun, unservedOf } from "../plan/plan.ts";
import { hoverRun, useSelection } from "../plan/selection.ts";
import { RunMenu } from "../runs/RunMenu.tsx";
import { useMayEdit } from "../shell/view.ts";
import { draggedJobs, isJobDrag } from "./drag.ts";
import { dropPosition, hoursOf, percentOf, type Span, spanOf } from "./scale.ts";
import { TimelineStop } from "./TimelineStop.tsx";

/** Pixels. */
const LABEL = 190;
const ROW = 40;
const AXIS = 26;
const HOUR = 120;

/** Runs over a time axis. Jobs are dragged to another run or place; the keyboard has 'Move to…'. */
export function Timeline(): ReactNode {
  const { plan } = usePlanContext();
  const zone = useSession((state) => state.user?.organisation.timezone);
  const hidden = useSelection((state) => state.hiddenRunIds);
  const stops = useMemo(() => stopsByRun(plan.jobs), [plan.jobs]);
  const span = useMemo(() => spanOf(plan.runs, plan.jobs, Date.now()), [plan.runs, plan.jobs]);
  const hours = hoursOf(span, 16);
  const unserved = unservedOf(plan.jobs);
  const mayEdit = useMayEdit();
  const writes = useLevel("runs_write");
  const edits = mayEdit && writes;
  return (
    <Box
      role="region"
      aria-label={texts.runs.timeline}
      sx={{ height: "100%", overflow: "auto", position: "relative" }}
    >
      <Box sx={{ minWidth: LABEL + HOUR * ((span.end - span.start) / 3_600_000), pb: 1 }}>
        <Box
          sx={{
            position: "sticky",
            top: 0,
            zIndex: 3,
            height: AXIS,
            display: "flex",
            bgcolor: "background.paper",
            borderBottom: 1,
            borderColor: "divider",
          }}
        >
          <Box
            sx={{
              width: LABEL,
              flex: "none",
              px: 1,
              display: "flex",
              alignItems: "center",
              position: "sticky",
              left: 0,
              zIndex: 1,
              bgcolor: "background.paper",
            }}
          >
            <Typography variant="caption" color="textSecondary">
              {texts.runs.timeline}
            </Typography>
          </Box>
          <Box sx={{ position: "relative", flex: 1, ml: 3, mr: 3 }}>
            {hours.map((hour) => (
              <Typography
                key={hour}
                variant="caption"
                color="textSecondary"
                sx={{
                  position: "absolute",
                  left: `${percentOf(hour, span)}%`,
                  transform: "translateX(-50%)",
                  top: 4,
                  fontVariantNumeric: "tabular-nums",
                }}
              >
                {clockText(new Date(hour).toISOString(), zone)}
              </Typography>
            ))}
          </Box>
        </Box>
        {plan.runs
          .filter((run) => !hidden.has(run.id))
          .map((run) => (
            <RunRow
              key={run.id}
              run={run}
              stops={stops.get(run.id) ?? []}
              span={span}
              hours={hours}
              editable={edits}
            />
          ))}
        <UnservedRow jobs={unserved} editable={edits} />
      </Box>
    </Box>
  );
}

interface RunRowProps {
  run: Run;
  stops: readonly Job[];
  span: Span;
  hours: readonly number[];
  editable: boolean;
}

function RunRow({ run, stops, span, hours, editable }: RunRowProps): ReactNode {
  const hovered = useSelection((state) => state.hoveredRunId === run.id);
  const track = useRef<HTMLDivElement>(null);
  const droppable = editable && run.validated_at === null;
  const { over, handlers } = useDrop(droppable, (jobIds, event) => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined) return null;
    const moment = span.start + ((event.clientX - box.left) / box.width) * (span.end - span.start);
    return { run_id: run.id, job_ids: jobIds, seq: dropPosition(stops, moment), pool: false };
  });
  return (
    <Box
      {...handlers}
      onMouseEnter={() => hoverRun(run.id)}
      onMouseLeave={() => hoverRun(null)}
      sx={{
        display: "flex",
        height: ROW,
        borderBottom: 1,
        borderColor: "divider",
        bgcolor: over ? "action.selected" : hovered ? "action.hover" : "transparent",
      }}
    >
      <Box
        sx={{
          width: LABEL,
          flex: "none",
          position: "sticky",
          left: 0,
          zIndex: 2,
          display: "flex",
          alignItems: "center",
          pl: 1,
          bgcolor: "background.paper",
          borderLeft: `4px solid ${run.route_colour}`,
        }}
      >
        <Box
          component="button"
          type="button"
          onClick={() => openDialog({ kind: "run", runId: run.id })}
          sx={{
            all: "unset",
            cursor: "pointer",
            flex: 1,
            minWidth: 0,
            "&:focus-visible": { outline: "2px solid" },
          }}
        >
          <Typography variant="subtitle2" noWrap>
            {run.uid}
          </Typography>
          <Typography variant="caption" color="textSecondary" noWrap component="div" sx={{ mt: -0.5 }}>
            {fill(texts.runs.jobsCount, { n: stops.length })}
          </Typography>
        </Box>
        <RunMenu run={run} stops={stops} />
      </Box>
      <Box ref={track} sx={{ position: "relative", flex: 1, ml: 3, mr: 3 }}>
        {hours.map((hour) => (
          <Box
            key={hour}
            aria-hidden
            sx={{
              position: "absolute",
              insetBlock: 0,
              left: `${percentOf(hour, span)}%`,
              borderLeft: 1,
              borderColor: "divider",
              opacity: 0.7,
            }}
          />
        ))}
        <RouteBar run={run} span={span} />
        {stops.map((job, index) => (
          <TimelineStop
            key={job.id}
            job={job}
            colour={run.route_colour}
            span={span}
            fallback={(index + 0.5) / Math.max(1, stops.length)}
            draggable={droppable}
          />
        ))}
      </Box>
    </Box>
  );
}

/** From the planned start to the planned end of the run. */
function RouteBar({ run, span }: { run: Run; span: Span }): ReactNode {
  if (run.planned_start_time === null || run.planned_end_time === null) return null;
  const left = percentOf(Date.parse(run.planned_start_time), span);
  const right = percentOf(Date.parse(run.planned_end_time), span);
  return (
    <Box
      aria-hidden
      sx={{
        position: "absolute",
        top: "50%",
        left: `${left}%`,
        width: `${Math.max(0, right - left)}%`,
        height: 3,
        mt: "-1.5px",
        borderRadius: 2,
        bgcolor: run.route_colour,
        opacity: 0.45,
      }}
    />
  );
}

/** Jobs without a run, as a place to drag from and to. */
function UnservedRow({ jobs, editable }: { jobs: readonly Job[]; editable: boolean }): ReactNode {
  const { over, handlers } = useDrop(editable, (jobIds) => ({
    run_id: null,
    job_ids: jobIds,
    seq: null,
    pool: false,
  }));
  const shown = jobs.slice(0, 150);
  return (
    <Box
      {...handlers}
      sx={{
        display: "flex",
        minHeight: ROW,
        bgcolor: over ? "action.selected" : "background.default",
        alignItems: "center",
      }}
    >
      <Box
        sx={{
          width: LABEL,
          flex: "none",
          px: 1.5,
          position: "sticky",
          left: 0,
          zIndex: 2,
          bgcolor: "inherit",
        }}
      >
        <Typography variant="subtitle2">{texts.runs.unserved}</Typography>
        <Typography variant="caption" color="textSecondary" component="div" sx={{ mt: -0.5 }}>
          {fill(texts.runs.jobsCount, { n: jobs.length })}
        </Typography>
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5, py: 0.75, pr: 2 }}>
        {shown.map((job) => (
          <TimelineStop
            key={job.id}
            job={job}
            colour={job.colour}
            span={null}
            fallback={0}
            draggable={editable}
          />
        ))}
      </Box>
    </Box>
  );
}

interface Drop {
  over: boolean;
  handlers: {
    onDragOver?: (event: DragEvent) => void;
    onDragLeave?: (event: DragEvent) => void;
    onDrop?: (event: DragEvent) => void;
  };
}

function useDrop(
  enabled: boolean,
  moveOf: (jobIds: number[], event: DragEvent) => Parameters<typeof moveJobs>[1] | null,
): Drop {
  const { scenarioId } = usePlanContext();
  const [over, setOver] = useState(false);
  if (!enabled || scenarioId === null) return { over: false, handlers: {} };
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
        const move = moveOf(draggedJobs(event), event);
        if (move !== null && move.job_ids.length > 0) moveJobsWithReason(scenarioId, move);
      },
    },
  };
}
