import ErrorIcon from "@mui/icons-material/ErrorOutlined";
import ExpandIcon from "@mui/icons-material/ExpandMore";
import SentIcon from "@mui/icons-material/MarkEmailReadOutlined";
import ValidatedIcon from "@mui/icons-material/VerifiedOutlined";
import HiddenIcon from "@mui/icons-material/VisibilityOffOutlined";
import ShownIcon from "@mui/icons-material/VisibilityOutlined";
import { Box, ButtonBase, Chip, Collapse, IconButton, Tooltip, Typography } from "@mui/material";
import {
  clockText,
  distanceText,
  durationText,
  fill,
  type Job,
  type Run,
  texts,
  useSession,
} from "@routewright/web";
import { memo, type ReactNode, useEffect } from "react";
import { PhoneContact } from "../contact/PhoneContact.tsx";
import { boundsOf } from "../map/features.ts";
import { fitMap } from "../map/fit.ts";
import { DriverName } from "../plan/DriverName.tsx";
import { InHand } from "../plan/InHand.tsx";
import { expectedEnd } from "../plan/lateness.ts";
import { ProblemIcon } from "../plan/ProblemIcon.tsx";
import type { Problem } from "../plan/problems.ts";
import { isStraight } from "../plan/StraightLines.tsx";
import { hoverRun, leaveRun, toggleRunOpen, toggleRunShown, useSelection } from "../plan/selection.ts";
import { useView } from "../ui/view.ts";
import { LoadBar } from "./LoadBar.tsx";
import { RunMenu } from "./RunMenu.tsx";
import { StopList } from "./StopList.tsx";
import { useRunDrop } from "./use-run-drop.ts";

interface RunCardProps {
  run: Run;
  stops: readonly Job[];
  violations: number;
  /** Those of the run and its jobs. */
  problems: readonly Problem[];
}

const STATUS_COLOURS = { pending: "default", started: "info", driving: "info", closed: "success" } as const;

/** One run of the list: its totals, and its stops when it is opened. */
export const RunCard = memo(function RunCard({ run, stops, violations, problems }: RunCardProps): ReactNode {
  const open = useSelection((state) => state.openRunIds.has(run.id));
  useEffect(() => () => leaveRun(run.id), [run.id]);
  const hovered = useSelection((state) => state.hoveredRunId === run.id);
  const hidden = useSelection((state) => state.hiddenRunIds.has(run.id));
  const { over, handlers: drop } = useRunDrop(run);
  const customer = useView() === "customer";
  const zone = useSession((state) => state.user?.organisation.timezone);
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const end = expectedEnd(run, stops);
  const visited = stops.filter((job) => job.visited).length;
  return (
    <Box
      role="listitem"
      {...drop}
      onMouseEnter={() => hoverRun(run.id)}
      onMouseLeave={() => hoverRun(null)}
      sx={{
        borderBottom: 1,
        borderColor: "divider",
        bgcolor: over ? "action.selected" : hovered ? "action.hover" : "transparent",
        borderLeft: `4px solid ${run.route_colour}`,
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", px: 1, py: 0.75, gap: 0.5 }}>
        <ButtonBase
          aria-expanded={open}
          onClick={() => {
            toggleRunOpen(run.id);
            fitMap(boundsOf(stops.map((job) => job.location)));
          }}
          sx={{ flex: 1, minWidth: 0, justifyContent: "flex-start", textAlign: "left", borderRadius: 0.5 }}
        >
          <Box sx={{ minWidth: 0 }}>
            <Box sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
              <Typography variant="subtitle2" noWrap>
                {run.uid}
                <InHand kind="run" id={run.id} />
              </Typography>
              <DriverName of={run} />
              {run.status !== "pending" && (
                <Chip
                  label={texts.runs.statuses[run.status]}
                  color={STATUS_COLOURS[run.status]}
                  sx={{ height: 18 }}
                />
              )}
              {run.validated_at !== null && (
                <ValidatedIcon color="success" sx={{ fontSize: 16 }} titleAccess={texts.runs.validated} />
              )}
              {run.dispatched && (
                <SentIcon color="action" sx={{ fontSize: 16 }} titleAccess={texts.dispatch.dispatched} />
              )}
              <ProblemIcon problems={problems} />
              {violations > 0 && (
                <ErrorIcon
                  color="error"
                  sx={{ fontSize: 16 }}
                  titleAccess={`${violations} ${texts.runs.violations}`}
                />
              )}
            </Box>
            <Typography variant="caption" color="textSecondary" noWrap component="div">
              {fill(texts.runs.jobsCount, { n: visited > 0 ? `${visited}/${stops.length}` : stops.length })} ·{" "}
              {!customer &&
                `${clockText(run.planned_start_time, zone)}–${clockText(run.planned_end_time, zone)} · `}
              {durationText(run.total_driving_time)} · {distanceText(run.distance, unit)}
              {!customer &&
                end !== run.planned_end_time &&
                ` · ${fill(texts.runs.ends, { at: clockText(end, zone) })}`}
              {isStraight(run) && ` · ${texts.problems.straightLines}`}
            </Typography>
            <LoadBar run={run} stops={stops} />
            <Left run={run} stops={stops} />
            {!customer && <PhoneContact run={run} brief />}
          </Box>
        </ButtonBase>
        <Tooltip title={hidden ? texts.runs.show : texts.runs.hide}>
          <IconButton
            aria-label={`${hidden ? texts.runs.show : texts.runs.hide} ${run.uid}`}
            onClick={() => toggleRunShown(run.id)}
          >
            {hidden ? <HiddenIcon fontSize="small" /> : <ShownIcon fontSize="small" />}
          </IconButton>
        </Tooltip>
        <RunMenu run={run} stops={stops} />
        <IconButton
          aria-label={`${texts.runs.stops} ${run.uid}`}
          aria-expanded={open}
          onClick={() => toggleRunOpen(run.id)}
        >
          <ExpandIcon fontSize="small" sx={{ transform: open ? "rotate(180deg)" : "none" }} />
        </IconButton>
      </Box>
      <Collapse in={open} unmountOnExit>
        <StopList stops={stops} colour={run.route_colour} />
      </Collapse>
    </Box>
  );
});

/** Jobs without a proof, and those that did not succeed; nothing before the run has begun. */
function Left({ run, stops }: Pick<RunCardProps, "run" | "stops">): ReactNode {
  const open = run.status === "pending" ? 0 : stops.filter((job) => !job.visited).length;
  const failed = stops.filter((job) => job.visited && !job.successful).length;
  if (open === 0 && failed === 0) return null;
  return (
    <Box sx={{ display: "flex", gap: 1 }}>
      {open > 0 && (
        <Typography variant="caption" color="textSecondary">
          {fill(texts.runs.openJobs, { n: open })}
        </Typography>
      )}
      {failed > 0 && (
        <Typography variant="caption" color="error">
          {fill(texts.runs.unsuccessfulJobs, { n: failed })}
        </Typography>
      )}
    </Box>
  );
}
