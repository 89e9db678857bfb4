import { Alert, Box, Chip, LinearProgress, Typography } from "@mui/material";
import { fill, texts } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { jobsById, runsById } from "../plan/plan.ts";
import { PanelHead } from "../ui/PanelHead.tsx";
import { ExceptionLine, LINE } from "./ExceptionLine.tsx";
import { type Exception, EXCEPTION_KINDS, type ExceptionKind } from "./model.ts";
import { useExceptions } from "./use-exceptions.ts";

/** What somebody should look at while the day runs, the most urgent first and counted; each line leads there. */
export function ExceptionsPanel(): ReactNode {
  const { plan, scenario, loading } = usePlanContext();
  const all = useExceptions();
  const [kind, setKind] = useState<ExceptionKind | null>(null);
  const chosen = kind !== null && all.some((exception) => exception.kind === kind) ? kind : null;
  const shown = chosen === null ? all : all.filter((exception) => exception.kind === chosen);
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
      <Kinds all={all} kind={chosen} onChoose={setKind} />
      {loading && <LinearProgress aria-label={texts.common.loading} />}
      {shown.length > 0 ? (
        <Lines exceptions={shown} />
      ) : loading ? null : scenario === null ? (
        <Typography color="textSecondary" sx={{ p: 2 }}>
          {texts.scenarios.none}
        </Typography>
      ) : (
        <Alert severity={served.length === 0 ? "info" : "success"} sx={{ m: 1.5 }}>
          {served.length === 0 ? texts.live.noStops : texts.live.none}
        </Alert>
      )}
    </>
  );
}

interface KindsProps {
  all: readonly Exception[];
  kind: ExceptionKind | null;
  onChoose: (kind: ExceptionKind | null) => void;
}

/** The kinds that there are, counted; a second press shows all again. */
function Kinds({ all, kind, onChoose }: KindsProps): ReactNode {
  if (all.length === 0) return null;
  return (
    <Box sx={{ display: "flex", gap: 0.5, flexWrap: "wrap", px: 1.5, py: 0.75 }}>
      {EXCEPTION_KINDS.map((name) => {
        const n = all.filter((exception) => exception.kind === name).length;
        return n === 0 ? null : (
          <Chip
            key={name}
            size="small"
            label={`${texts.live.kinds[name]} ${n}`}
            color={kind === name ? "primary" : "default"}
            aria-pressed={kind === name}
            onClick={() => onChoose(kind === name ? null : name)}
          />
        );
      })}
    </Box>
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
    estimateSize: () => LINE,
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
            <ExceptionLine
              key={exception.key}
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
