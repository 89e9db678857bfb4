import ErrorIcon from "@mui/icons-material/ErrorOutlined";
import InfoIcon from "@mui/icons-material/InfoOutlined";
import RunIcon from "@mui/icons-material/RouteOutlined";
import WarningIcon from "@mui/icons-material/WarningAmber";
import {
  Alert,
  Box,
  ButtonBase,
  IconButton,
  LinearProgress,
  ToggleButton,
  ToggleButtonGroup,
  Tooltip,
  Typography,
} from "@mui/material";
import { fill, type Job, type Run, texts } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef, useState } from "react";
import { boundsOf } from "../map/features.ts";
import { fitMap, flyTo } from "../map/fit.ts";
import { usePlanContext } from "../plan/context.ts";
import { useDriverName } from "../plan/DriverName.tsx";
import { openDialog } from "../plan/dialogs.ts";
import { jobsById, runsById, stopsOf } from "../plan/plan.ts";
import { hoverJob, hoverRun, selectJob, useSelection } from "../plan/selection.ts";
import { PanelHead } from "../ui/PanelHead.tsx";
import { type Exception, EXCEPTION_KINDS, type ExceptionKind } from "./exceptions.ts";
import { useExceptions } from "./use-exceptions.ts";

/** Pixels. */
const ROW = 52;

/** What somebody should look at while the day runs, the most urgent first and counted; each line leads there. */
export function ExceptionsPanel(): ReactNode {
  const { plan, scenario, loading } = usePlanContext();
  const all = useExceptions();
  const [kind, setKind] = useState<ExceptionKind | null>(null);
  const shown = kind === null ? all : all.filter((exception) => exception.kind === kind);
  const served = plan.jobs.filter((job) => job.run_id !== null);
  const visited = served.filter((job) => job.visited).length;
  return (
    <>
      <PanelHead
        title={texts.live.exceptions}
        note={String(all.length)}
        actions={
          <Typography variant="caption" color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
            {fill(texts.live.done, { n: visited, of: served.length })}
          </Typography>
        }
      />
      <Box sx={{ px: 1.5, py: 0.75 }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={kind}
          onChange={(_, value: ExceptionKind | null) => setKind(value)}
          aria-label={texts.live.exceptions}
        >
          {EXCEPTION_KINDS.map((name) => (
            <ToggleButton key={name} value={name} sx={{ textTransform: "none", py: 0.25, px: 1.25 }}>
              {`${texts.live.kinds[name]} ${all.filter((exception) => exception.kind === name).length}`}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Box>
      {loading && <LinearProgress aria-label={texts.common.loading} />}
      {shown.length > 0 ? (
        <Lines exceptions={shown} />
      ) : loading ? null : scenario === null ? (
        <Typography color="textSecondary" sx={{ p: 2 }}>
          {texts.scenarios.none}
        </Typography>
      ) : (
        <Alert severity="success" sx={{ m: 1.5 }}>
          {texts.live.none}
        </Alert>
      )}
    </>
  );
}

function Lines({ exceptions }: { exceptions: readonly Exception[] }): ReactNode {
  const { plan } = usePlanContext();
  const jobs = jobsById(plan.jobs);
  const runs = runsById(plan.runs);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: exceptions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    useFlushSync: false,
  });
  return (
    <Box ref={scroller} sx={{ flex: 1, overflow: "auto", minHeight: 0 }}>
      <Box
        role="list"
        aria-label={texts.live.exceptions}
        sx={{ position: "relative" }}
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const exception = exceptions[index];
          return exception === undefined ? null : (
            <Line
              key={index}
              top={start}
              exception={exception}
              job={jobs.get(exception.jobId ?? 0)}
              run={runs.get(exception.runId ?? 0)}
            />
          );
        })}
      </Box>
    </Box>
  );
}

interface LineProps {
  top: number;
  exception: Exception;
  job: Job | undefined;
  run: Run | undefined;
}

function Line({ top, exception, job, run }: LineProps): ReactNode {
  const { plan } = usePlanContext();
  const nameOf = useDriverName();
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
  return (
    <Box
      role="listitem"
      onMouseEnter={() => point(true)}
      onMouseLeave={() => point(false)}
      sx={{
        position: "absolute",
        insetInline: 0,
        height: ROW,
        display: "flex",
        alignItems: "center",
        gap: 0.5,
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
          height: "100%",
          px: 1,
          gap: 1,
          justifyContent: "flex-start",
          textAlign: "left",
        }}
      >
        <Icon
          titleAccess={texts.live.kinds[exception.kind]}
          color={exception.severity}
          sx={{ fontSize: 18, flex: "none" }}
        />
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="subtitle2" noWrap>
            {job === undefined ? run?.uid : [job.uid, job.customer_name].filter(Boolean).join(" · ")}
          </Typography>
          <Typography variant="caption" color="textSecondary" noWrap component="div">
            {[job !== undefined && run?.uid, nameOf(run), exception.text].filter(Boolean).join(" · ")}
          </Typography>
        </Box>
      </ButtonBase>
      {job !== undefined && (
        <Tooltip title={texts.jobs.details}>
          <IconButton
            aria-label={`${texts.jobs.details} ${job.uid}`}
            onClick={() => openDialog({ kind: "job-details", jobId: job.id })}
          >
            <InfoIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
      {run !== undefined && (
        <Tooltip title={texts.runs.detailsTitle}>
          <IconButton
            aria-label={`${texts.runs.detailsTitle} ${run.uid}`}
            onClick={() => openDialog({ kind: "run", runId: run.id })}
          >
            <RunIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
}
