import ErrorIcon from "@mui/icons-material/ErrorOutlined";
import WarningIcon from "@mui/icons-material/WarningAmber";
import { Box, ButtonBase, Typography } from "@mui/material";
import { fill, type Job, type Run, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { boundsOf } from "../map/features.ts";
import { fitMap, flyTo } from "../map/fit.ts";
import { usePlanContext } from "../plan/context.ts";
import { useDriverName } from "../plan/DriverName.tsx";
import { minutesText } from "../plan/lateness.ts";
import { stopsOf } from "../plan/plan.ts";
import { hoverJob, hoverRun, selectJob, useSelection } from "../plan/selection.ts";
import { useProblems } from "../plan/use-problems.ts";
import { useRoad } from "../road/road.ts";
import { staleText } from "../road/words.ts";
import { MenuButton } from "../ui/MenuButton.tsx";
import { useExceptionActions } from "./actions.ts";
import type { Exception } from "./model.ts";

/** Pixels. */
export const LINE = 84;
/** Minutes before a promise breaks in which it is told in colour. */
const SOON = 30;

interface ExceptionLineProps {
  top: number;
  exception: Exception;
  job: Job | undefined;
  run: Run | undefined;
}

/** What is wrong, how long until or since a promise breaks, and what can be done. */
export function ExceptionLine({ top, exception, job, run }: ExceptionLineProps): ReactNode {
  const { plan } = usePlanContext();
  const nameOf = useDriverName();
  const road = useRoad();
  const actionsOf = useExceptionActions(plan, useProblems());
  const selected = useSelection((state) => job !== undefined && state.jobIds.has(job.id));
  const Icon = exception.severity === "error" ? ErrorIcon : WarningIcon;
  const show = (): void => {
    if (job !== undefined) {
      selectJob(job.id);
      flyTo(job.location);
    } else if (run !== undefined) {
      fitMap(boundsOf(stopsOf(plan.jobs, run.id).map(({ location }) => location)));
    }
  };
  const point = (on: boolean): void => {
    hoverJob(on ? (job?.id ?? null) : null);
    hoverRun(on ? (run?.id ?? null) : null);
  };
  const driven = run !== undefined && run.actual_start_time !== null && run.actual_end_time === null;
  const stale = driven && road.now !== null ? staleText(road.runs.get(run.id)?.track.at(-1), road.now) : "";
  const name = job?.uid ?? run?.uid ?? "";
  const title = job === undefined ? name : [job.uid, job.customer_name].filter(Boolean).join(" · ");
  return (
    <Box
      role="listitem"
      onMouseEnter={() => point(true)}
      onMouseLeave={() => point(false)}
      sx={{
        position: "absolute",
        insetInline: 0,
        height: LINE,
        display: "flex",
        alignItems: "stretch",
        pr: 0.5,
        borderBottom: 1,
        borderBottomColor: "divider",
        bgcolor: selected ? "action.selected" : "transparent",
        "&:hover": { bgcolor: "action.hover" },
      }}
      style={{ top, borderLeft: `4px solid ${run?.route_colour ?? "transparent"}` }}
    >
      <ButtonBase
        onClick={show}
        sx={{
          flex: 1,
          minWidth: 0,
          px: 1,
          gap: 1,
          alignItems: "flex-start",
          justifyContent: "flex-start",
          textAlign: "left",
          py: 0.75,
        }}
      >
        <Icon color={exception.severity} sx={{ fontSize: 18, flex: "none", mt: "1px" }} />
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Box sx={{ display: "flex", gap: 1, alignItems: "baseline" }}>
            <Typography variant="subtitle2" noWrap sx={{ flex: 1, minWidth: 0 }}>
              {title}
            </Typography>
            <Promised at={exception.breaksAt} />
          </Box>
          <Typography
            variant="caption"
            component="div"
            sx={{
              lineHeight: 1.35,
              display: "-webkit-box",
              WebkitBoxOrient: "vertical",
              WebkitLineClamp: "2",
              overflow: "hidden",
            }}
          >
            <strong>{texts.live.kinds[exception.kind]}</strong>: {exception.text}
          </Typography>
          <Typography variant="caption" color="textSecondary" noWrap component="div">
            {[job !== undefined && run?.uid, nameOf(run), stale].filter(Boolean).join(" · ")}
          </Typography>
        </Box>
      </ButtonBase>
      <Box sx={{ flex: "none", alignSelf: "center" }}>
        <MenuButton label={`${texts.live.actions} ${name}`} items={actionsOf(exception, job, run)} />
      </Box>
    </Box>
  );
}

/** How long until a promise breaks, or since it was broken. */
function Promised({ at }: { at: number | null }): ReactNode {
  const { now } = useRoad();
  if (at === null || now === null) return null;
  const minutes = Math.round((at - now) / 60_000);
  const over = minutes <= 0;
  const text = fill(over ? texts.live.dueAgo : texts.live.dueIn, { time: minutesText(Math.abs(minutes)) });
  return (
    <Typography
      variant="caption"
      noWrap
      title={over ? texts.live.broken : texts.live.promise}
      color={over ? "error" : minutes <= SOON ? "warning" : "textSecondary"}
      sx={{ flex: "none", fontWeight: 650, fontVariantNumeric: "tabular-nums" }}
    >
      {text}
    </Typography>
  );
}
