import {
  Alert,
  Box,
  Button,
  Chip,
  LinearProgress,
  Paper,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import {
  apiUrl,
  clockText,
  distanceText,
  messageOfError,
  momentText,
  type ProgressReport,
  type ProgressRun,
  recordTimeMoment,
  request,
  scenarioDateText,
  texts,
  useSession,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useParams } from "react-router";

const REFRESH = 60_000;

/** How far the runs of a scenario are, refreshed every minute; made to be printed. */
export function ProgressPage(): ReactNode {
  const { scenarioId = "" } = useParams();
  const { data, error } = useQuery({
    queryKey: ["progress", scenarioId],
    queryFn: () => request<ProgressReport>(`/scenarios/${Number(scenarioId)}/progress_report`),
    refetchInterval: REFRESH,
  });
  if (data === undefined)
    return error === null ? (
      <LinearProgress aria-label={texts.common.loading} />
    ) : (
      <Alert severity="error">{messageOfError(error)}</Alert>
    );
  const { totals } = data;
  const cards = [
    [texts.jobs.title, totals.jobs],
    [texts.proofs.visited, totals.visited],
    [texts.proofs.successful, totals.successful],
    [texts.proofs.unsuccessful, totals.unsuccessful],
    [texts.jobs.late, totals.late],
  ] as const;
  return (
    <Box
      component="main"
      sx={{ height: "100%", overflow: "auto", p: 3, display: "grid", gap: 3, alignContent: "start" }}
    >
      <Box sx={{ display: "flex", alignItems: "center" }}>
        <Box sx={{ flex: 1 }}>
          <Typography component="h1" variant="h5">
            {texts.scenarios.progressReport} – {data.scenario.name}
          </Typography>
          <Typography color="textSecondary">{scenarioDateText(data.scenario.scheduled_date)}</Typography>
        </Box>
        <Button
          variant="contained"
          onClick={() => window.print()}
          sx={{ "@media print": { display: "none" } }}
        >
          {texts.common.print}
        </Button>
      </Box>
      <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap" }}>
        {cards.map(([label, value]) => (
          <Paper key={label} variant="outlined" sx={{ px: 2.5, py: 1.5, minWidth: 130 }}>
            <Typography variant="h5">{value}</Typography>
            <Typography variant="body2" color="textSecondary">
              {label}
            </Typography>
          </Paper>
        ))}
      </Box>
      <Runs runs={data.runs} />
      <Exceptions exceptions={data.exceptions} />
    </Box>
  );
}

function Runs({ runs }: { runs: readonly ProgressRun[] }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  return (
    <TableContainer component={Paper} variant="outlined">
      <Table>
        <TableHead>
          <TableRow>
            <TableCell>{texts.runs.moveRun}</TableCell>
            <TableCell>{texts.runs.fields.status}</TableCell>
            <TableCell sx={{ minWidth: 180 }}>{texts.runs.stops}</TableCell>
            <TableCell>{texts.runs.stats.planned}</TableCell>
            <TableCell>{texts.runs.stats.recorded}</TableCell>
            <TableCell>{texts.jobs.late}</TableCell>
            <TableCell>{texts.runs.fields.distance}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {runs.map((run) => (
            <TableRow key={run.run_id}>
              <TableCell>
                <Typography variant="subtitle2">{run.uid}</Typography>
                <Typography variant="caption" color="textSecondary">
                  {[run.driver, run.vehicle].filter((part) => part !== null).join(" · ")}
                </Typography>
              </TableCell>
              <TableCell>
                <Chip label={texts.runs.statuses[run.status]} />
              </TableCell>
              <TableCell>
                <Typography variant="caption">
                  {run.visited}/{run.jobs}
                  {run.unsuccessful > 0 && ` · ${run.unsuccessful} ${texts.proofs.unsuccessful}`}
                </Typography>
                <LinearProgress
                  aria-label={run.uid}
                  variant="determinate"
                  color={run.unsuccessful > 0 ? "warning" : "success"}
                  value={run.jobs === 0 ? 0 : (run.visited / run.jobs) * 100}
                />
              </TableCell>
              <TableCell>
                {clockText(run.planned_start_time, zone)}–{clockText(run.planned_end_time, zone)}
              </TableCell>
              <TableCell>
                {clockText(run.actual_start_time, zone)}–{clockText(run.actual_end_time, zone)}
              </TableCell>
              <TableCell>{run.late}</TableCell>
              <TableCell>{distanceText(run.distance, unit)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function Exceptions({ exceptions }: { exceptions: ProgressReport["exceptions"] }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  if (exceptions.length === 0) return null;
  return (
    <TableContainer component={Paper} variant="outlined">
      <Table>
        <TableHead>
          <TableRow>
            <TableCell>{texts.jobs.fields.uid}</TableCell>
            <TableCell>{texts.jobs.fields.customer_name}</TableCell>
            <TableCell>{texts.proofs.reason}</TableCell>
            <TableCell>{texts.proofs.recorded}</TableCell>
            <TableCell>{texts.proofs.comments}</TableCell>
            <TableCell>{texts.proofs.photos}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {exceptions.map((item, index) => (
            <TableRow key={index}>
              <TableCell>{item.job_uid}</TableCell>
              <TableCell>{item.customer_name}</TableCell>
              <TableCell>{item.reason}</TableCell>
              <TableCell>{momentText(recordTimeMoment(item.time), zone)}</TableCell>
              <TableCell>{item.comments}</TableCell>
              <TableCell>
                {item.photos.map(({ id, link }, at) => (
                  <a key={id} href={apiUrl(link)} target="_blank" rel="noopener noreferrer">
                    {at + 1}{" "}
                  </a>
                ))}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
