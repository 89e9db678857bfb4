import {
  Alert,
  Box,
  Button,
  Chip,
  LinearProgress,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import {
  distanceText,
  durationText,
  fill,
  messageOfError,
  type OptimisationSummary,
  type OptimisationTask,
  type PlanFigures,
  request,
  texts,
  type UnservedJob,
  type UnservedReason,
  useSession,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { selectJobs } from "../plan/selection.ts";
import { Modal } from "../ui/Modal.tsx";
import { improveFurther, mayOptimise } from "./task.ts";

/** What the last optimisation made of the plan: figures before and after, and what was left out, by reason. */
export function SummaryDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { scenarioId } = usePlanContext();
  const id = scenarioId ?? 0;
  const { data, error, isPending } = useQuery({
    queryKey: keys.optimisation(id),
    queryFn: () => request<OptimisationTask>(`/optimise/background/scenarios/${id}`, { quiet: true }),
    staleTime: 5_000,
    retry: false,
  });
  const unserved = data?.unservedJobs ?? [];
  return (
    <Modal
      title={texts.optimise.summaryTitle}
      width={720}
      onClose={onClose}
      actions={
        <>
          {unserved.length > 0 && (
            <Button
              onClick={() => {
                selectJobs(unserved.map((job) => job.id));
                onClose();
              }}
            >
              {texts.map.showOnMap}
            </Button>
          )}
          {data?.status === "done" && mayOptimise(id) && (
            <Button
              title={texts.optimise.improveHelp}
              onClick={() => {
                onClose();
                void improveFurther(id);
              }}
            >
              {texts.optimise.improve}
            </Button>
          )}
          <Button variant="contained" onClick={onClose} autoFocus>
            {texts.common.close}
          </Button>
        </>
      }
    >
      {isPending && <LinearProgress aria-label={texts.common.loading} />}
      {error !== null && <Alert severity="info">{messageOfError(error) || texts.optimise.summaryNone}</Alert>}
      {data !== undefined && (
        <Box sx={{ display: "grid", gap: 2 }}>
          {data.summary != null ? (
            <Figures summary={data.summary} />
          ) : (
            <Alert severity={data.error == null ? "info" : "error"}>
              {data.error ?? texts.optimise.summaryNone}
            </Alert>
          )}
          {data.status === "done" && <Unserved jobs={unserved} />}
        </Box>
      )}
    </Modal>
  );
}

function Figures({ summary }: { summary: OptimisationSummary }): ReactNode {
  const { before, after, roads_source: source, compact } = summary;
  const settings = useSession((state) => state.user?.organisation.settings);
  const unit = settings?.distance_unit ?? "km";
  const sources: Readonly<Record<string, string>> = texts.optimise.roads;
  const rows: { label: string; of: (figures: PlanFigures) => string; less: number }[] = [
    {
      label: texts.optimise.figures.served,
      of: ({ served }) => String(served),
      less: before.served - after.served,
    },
    {
      label: texts.optimise.figures.unserved,
      of: ({ unserved }) => String(unserved),
      less: after.unserved - before.unserved,
    },
    { label: texts.optimise.figures.late, of: ({ late }) => String(late), less: after.late - before.late },
    { label: texts.optimise.figures.runs, of: ({ runs }) => String(runs), less: 0 },
    { label: texts.optimise.figures.distance, of: ({ distance }) => distanceText(distance, unit), less: 0 },
    {
      label: texts.optimise.figures.driving_time,
      of: ({ driving_time: time }) => durationText(time),
      less: 0,
    },
    {
      label: texts.optimise.figures.working_time,
      of: ({ working_time: time }) => durationText(time),
      less: 0,
    },
  ];
  if (before.cost !== null || after.cost !== null) {
    rows.push({
      label: texts.optimise.figures.cost,
      of: ({ cost }) => (cost === null ? "–" : `${cost.toFixed(2)} ${settings?.currency ?? ""}`.trim()),
      less: 0,
    });
  }
  for (const { key } of after.load) {
    rows.push({
      label: fill(texts.optimise.load, { key }),
      of: ({ load }) => {
        const found = load.find((other) => other.key === key);
        return found === undefined ? "–" : fill(texts.optimise.loadOf, { ...found });
      },
      less: 0,
    });
  }
  return (
    <Box>
      <Table aria-label={texts.optimise.summaryTitle}>
        <TableHead>
          <TableRow>
            <TableCell />
            <TableCell align="right">{texts.optimise.before}</TableCell>
            <TableCell align="right">{texts.optimise.after}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ label, of, less }) => (
            <TableRow key={label}>
              <TableCell component="th" scope="row">
                {label}
              </TableCell>
              <TableCell align="right">{of(before)}</TableCell>
              <TableCell
                align="right"
                sx={{ fontWeight: 600, color: less > 0 ? "error.main" : "text.primary" }}
              >
                {of(after)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {compact != null && <Compact with={compact.with} without={compact.without} />}
      {source !== null && (
        <Typography variant="caption" color="textSecondary" sx={{ display: "block", mt: 1 }}>
          {fill(texts.optimise.roadsOf, { source: sources[source] ?? source })}
        </Typography>
      )}
    </Box>
  );
}

/** What compact runs cost. */
function Compact(plans: NonNullable<OptimisationSummary["compact"]>): ReactNode {
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  return (
    <Alert severity="info" sx={{ mt: 2 }}>
      {fill(texts.optimise.compactCost, {
        distance: distanceText(plans.with.distance, unit),
        time: durationText(plans.with.working_time),
        strays: plans.with.strays,
        distanceWithout: distanceText(plans.without.distance, unit),
        timeWithout: durationText(plans.without.working_time),
        straysWithout: plans.without.strays,
      })}
    </Alert>
  );
}

/** The jobs that were left out, grouped by reason, each with the way to what would help. */
function Unserved({ jobs }: { jobs: readonly UnservedJob[] }): ReactNode {
  if (jobs.length === 0) return <Alert severity="success">{texts.optimise.allServed}</Alert>;
  const groups = new Map<UnservedReason, UnservedJob[]>();
  for (const job of jobs) groups.set(job.reason, [...(groups.get(job.reason) ?? []), job]);
  const sorted = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      <Typography variant="subtitle1" component="h3">
        {texts.optimise.unservedTitle} ({jobs.length})
      </Typography>
      {sorted.map(([reason, list]) => (
        <Box key={reason}>
          <Typography variant="subtitle2" component="h4" sx={{ mb: 0.5 }}>
            {texts.optimise.reasons[reason]} ({list.length})
          </Typography>
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
            {list.map(({ id, uid }) => (
              <Chip
                key={id}
                label={uid}
                title={texts.problems.why}
                onClick={() => openDialog({ kind: "diagnosis", jobId: id })}
              />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
