import {
  Alert,
  Box,
  Button,
  List,
  ListItem,
  ListItemText,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import {
  clockText,
  distanceText,
  durationText,
  fill,
  type JobDiagnosis,
  messageOfError,
  type Remedy,
  texts,
  toastError,
  toastSuccess,
  useSession,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { withReason } from "../moves/reasons.ts";
import { usePlanContext } from "../plan/context.ts";
import { Modal } from "../ui/Modal.tsx";
import { Waiting } from "../ui/Waiting.tsx";
import { applyRemedy, changedDispatched, mayApply, useDiagnosis } from "./diagnosis.ts";

interface DiagnosisDialogProps {
  jobId: number;
  onClose: () => void;
}

/** Why a job has no good place, run by run, and what would give it one. */
export function DiagnosisDialog({ jobId, onClose }: DiagnosisDialogProps): ReactNode {
  const { scenarioId, plan } = usePlanContext();
  const uid = plan.jobs.find(({ id }) => id === jobId)?.uid ?? "";
  const { data, error, refetch } = useDiagnosis(scenarioId ?? 0, jobId);
  const fails = data === undefined ? error : null;
  if (data === undefined) {
    const title = fails === null ? texts.problems.diagnosing : uid;
    return <Waiting title={title} error={fails} onClose={onClose} />;
  }
  const title =
    data.state === "served"
      ? fill(texts.problems.servedNow, { uid: data.job_uid })
      : fill(texts.problems.whyOf, { uid: data.job_uid, state: stateText(data) });
  return (
    <Modal title={title} width={760} onClose={onClose}>
      <Box sx={{ display: "grid", gap: 2 }}>
        {data.state !== "served" && <Alert severity="warning">{data.text}</Alert>}
        {data.state !== "served" && (
          <Remedies diagnosis={data} onChanged={() => void refetch()} onDone={onClose} />
        )}
        {data.untried_runs > 0 && (
          <Typography variant="body2" color="textSecondary">
            {fill(texts.problems.untriedRuns, { n: data.untried_runs })}
          </Typography>
        )}
        <EachRun diagnosis={data} />
      </Box>
    </Modal>
  );
}

function stateText({ state }: JobDiagnosis): string {
  const states: Readonly<Record<string, string>> = texts.problems.states;
  return states[state] ?? state;
}

interface RemediesProps {
  diagnosis: JobDiagnosis;
  /** The plan was another: look again. */
  onChanged: () => void;
  onDone: () => void;
}

function Remedies({ diagnosis, onChanged, onDone }: RemediesProps): ReactNode {
  const { scenarioId, plan } = usePlanContext();
  const id = scenarioId ?? 0;
  const [working, setWorking] = useState<Remedy["kind"] | null>(null);
  const apply = async (remedy: Remedy, reasonId: number | null): Promise<void> => {
    setWorking(remedy.kind);
    try {
      const done = await applyRemedy(id, diagnosis.job_id, remedy, diagnosis.version, reasonId);
      toastSuccess(fill(texts.problems.applied, { text: done.remedy.text }));
      onDone();
    } catch (error) {
      toastError(`${texts.problems.applyFailed}: ${messageOfError(error)}`);
      setWorking(null);
      onChanged();
    }
  };
  // What drivers know already is changed for a reason, as by a move.
  const choose = (remedy: Remedy): void =>
    void withReason(changedDispatched(plan, diagnosis, remedy), (why) => void apply(remedy, why));
  return (
    <Box component="section">
      <Typography variant="subtitle1" component="h3">
        {texts.problems.remedies}
      </Typography>
      {diagnosis.remedies.length === 0 && <Typography>{texts.problems.noRemedy}</Typography>}
      <List disablePadding>
        {diagnosis.remedies.map((remedy) => (
          <ListItem
            key={remedy.kind}
            divider
            disableGutters
            secondaryAction={
              mayApply(id) && (
                <Button
                  variant="outlined"
                  loading={working === remedy.kind}
                  disabled={working !== null}
                  aria-label={`${texts.problems.apply}: ${remedy.text}`}
                  onClick={() => choose(remedy)}
                >
                  {texts.problems.apply}
                </Button>
              )
            }
          >
            <ListItemText sx={{ pr: 8 }} primary={remedy.text} secondary={<Price remedy={remedy} />} />
          </ListItem>
        ))}
      </List>
    </Box>
  );
}

/** When the job is reached, and what it costs more. */
export function Price({ remedy }: { remedy: Remedy }): ReactNode {
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const zone = useSession((state) => state.user?.organisation.timezone);
  if (remedy.eta === null) return null;
  const { added_distance: metres, added_time: seconds, added_cost: cost } = remedy;
  const signed = (value: number, text: string): string => (value < 0 ? `−${text}` : `+${text}`);
  const parts = [
    clockText(remedy.eta, zone),
    signed(metres, distanceText(Math.abs(metres), unit)),
    signed(seconds, durationText(Math.abs(seconds))),
    ...(cost === null
      ? []
      : [fill(texts.problems.addedCost, { cost: signed(cost, Math.abs(cost).toFixed(2)) })]),
  ];
  return <>{parts.join(" · ")}</>;
}

function EachRun({ diagnosis }: { diagnosis: JobDiagnosis }): ReactNode {
  if (diagnosis.runs.length === 0) return null;
  return (
    <Box component="section">
      <Typography variant="subtitle1" component="h3" sx={{ mb: 0.5 }}>
        {texts.problems.eachRun}
      </Typography>
      <Table aria-label={texts.problems.eachRun}>
        <TableHead>
          <TableRow>
            <TableCell>{texts.problems.run}</TableCell>
            <TableCell>{texts.problems.inTheWay}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {diagnosis.runs.map((run, index) => (
            <TableRow key={run.run_id ?? `driver-${index}`}>
              <TableCell sx={{ whiteSpace: "nowrap" }}>{run.run_uid}</TableCell>
              <TableCell>{run.text}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
