import {
  Alert,
  Box,
  Button,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import { fill, request, type Run, texts, toastSuccess, type ValidationAnswer } from "@routewright/web";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { DriverName } from "../plan/DriverName.tsx";
import { reloadPlan } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { queryClient } from "../ui/query-client.ts";
import { canValidate, excessOf, warningsOf } from "./validation.ts";

interface ValidateDialogProps {
  runIds: number[];
  onClose: () => void;
}

/** Validates runs; asks when a run exceeds its plan by more than the tolerance. */
export function ValidateDialog({ runIds, onClose }: ValidateDialogProps): ReactNode {
  const { plan, scenarioId } = usePlanContext();
  const runs = plan.runs.filter(({ id }) => runIds.includes(id));
  const [answer, setAnswer] = useState<ValidationAnswer | null>(null);
  const [working, setWorking] = useState(false);
  const allowed = runs.some(canValidate);
  const warned = runs.filter((run) => warningsOf(excessOf(run)).length > 0);

  const validate = async (): Promise<void> => {
    setWorking(true);
    try {
      const result = await request<ValidationAnswer>("/runs/validate", { method: "PATCH", body: runIds });
      toastSuccess(fill(texts.runs.validation.done, { n: result.validated.length }));
      if (scenarioId !== null) await reloadPlan(scenarioId);
      await queryClient.invalidateQueries({ queryKey: ["run"] });
      if (runIds.length === 1 && result.failed.length === 0) onClose();
      else setAnswer(result);
    } catch {
      // Told by the toast.
      if (direct) onClose();
    } finally {
      setWorking(false);
    }
  };

  // Nothing to ask: a single run within its tolerances is validated at once.
  const [only] = runs;
  const direct = runs.length === 1 && only !== undefined && canValidate(only) && warned.length === 0;
  const begun = useRef(false);
  useEffect(() => {
    if (!direct || begun.current) return;
    begun.current = true;
    void validate();
  });
  if (direct && answer === null) return null;

  return (
    <Modal
      title={texts.runs.validation.title}
      width={620}
      onClose={onClose}
      actions={
        answer === null ? (
          <>
            <Button onClick={onClose}>{texts.runs.validation.no}</Button>
            <Button variant="contained" disabled={!allowed} loading={working} onClick={() => void validate()}>
              {warned.length > 0 ? texts.runs.validation.yes : texts.runs.validation.validate}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{texts.common.close}</Button>
        )
      }
    >
      {answer === null ? <Question runs={runs} /> : <Summary answer={answer} runs={runs} />}
    </Modal>
  );
}

function Question({ runs }: { runs: readonly Run[] }): ReactNode {
  const warned = runs.some((run) => warningsOf(excessOf(run)).length > 0);
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      {runs.map((run) => {
        const warnings = canValidate(run) ? warningsOf(excessOf(run)) : [texts.runs.validation.ineligible];
        return (
          <Alert key={run.id} severity={warnings.length > 0 ? "warning" : "success"}>
            <Typography variant="subtitle2">{run.uid}</Typography>
            <DriverName of={run} />
            {warnings.map((warning) => (
              <div key={warning}>{warning}</div>
            ))}
          </Alert>
        );
      })}
      {warned && <Typography>{texts.runs.validation.question}</Typography>}
    </Box>
  );
}

function Summary({ answer, runs }: { answer: ValidationAnswer; runs: readonly Run[] }): ReactNode {
  const uids = new Map(runs.map((run) => [run.id, run.uid]));
  const mark = (ok: boolean): string => (ok ? "✓" : "✗");
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {answer.failed.map(({ id, uid, missing }) => (
        <Alert key={id} severity="error">
          {uid}: {texts.runs.validation.failed},{" "}
          {fill(texts.runs.validation.missing, { fields: missing.join(", ") })}
        </Alert>
      ))}
      <Table>
        <TableHead>
          <TableRow>
            <TableCell>{texts.runs.moveRun}</TableCell>
            <TableCell>{texts.runs.validation.timeOk}</TableCell>
            <TableCell>{texts.runs.validation.distanceOk}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {answer.validated.map(({ id, time_ok: time, distance_ok: distance }) => (
            <TableRow key={id}>
              <TableCell>{uids.get(id)}</TableCell>
              <TableCell>{mark(time)}</TableCell>
              <TableCell>{mark(distance)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
