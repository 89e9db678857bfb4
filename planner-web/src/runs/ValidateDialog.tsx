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
  const asking = answer?.asking ?? [];
  const allowed = runs.some(canValidate);
  const warned = runs.filter((run) => warningsOf(excessOf(run)).length > 0);

  const validate = async (ids: number[], force: boolean): Promise<void> => {
    setWorking(true);
    try {
      const result = await request<ValidationAnswer>("/runs/validate", {
        method: "PATCH",
        body: { run_ids: ids, force },
      });
      if (result.validated.length > 0) {
        toastSuccess(fill(texts.runs.validation.done, { n: result.validated.length }));
      }
      if (scenarioId !== null) await reloadPlan(scenarioId);
      await queryClient.invalidateQueries({ queryKey: ["run"] });
      const said = answer === null ? [] : answer.validated;
      if (runIds.length === 1 && result.validated.length === 1) onClose();
      else setAnswer({ ...result, validated: [...said, ...result.validated] });
    } catch {
      // Told by the toast.
      if (direct && answer === null) onClose();
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
    void validate(runIds, false);
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
            <Button
              variant="contained"
              disabled={!allowed}
              loading={working}
              onClick={() => void validate(runIds, false)}
            >
              {warned.length > 0 ? texts.runs.validation.yes : texts.runs.validation.validate}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>
              {asking.length > 0 ? texts.runs.validation.no : texts.common.close}
            </Button>
            {asking.length > 0 && (
              <Button
                variant="contained"
                loading={working}
                onClick={() =>
                  void validate(
                    asking.map(({ id }) => id),
                    true,
                  )
                }
              >
                {texts.bills.askYes}
              </Button>
            )}
          </>
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

/** What a field that is missing is called. */
function fieldName(field: string): string {
  const name = (texts.runs.fields as Record<string, string | undefined>)[field] ?? field;
  return name.replace(/ \(\{unit\}\)$/, "");
}

function Summary({ answer, runs }: { answer: ValidationAnswer; runs: readonly Run[] }): ReactNode {
  const uids = new Map(runs.map((run) => [run.id, run.uid]));
  const asking = answer.asking ?? [];
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {answer.failed.map(({ id, uid, missing }) => (
        <Alert key={id} severity="error">
          {uid}: {texts.runs.validation.failed},{" "}
          {fill(texts.runs.validation.missing, { fields: missing.map(fieldName).join(", ") })}
        </Alert>
      ))}
      {asking.map(({ id, uid, concerns }) => (
        <Alert key={id} severity="warning">
          <Typography variant="subtitle2">{uid}</Typography>
          {concerns.map(({ code, text }) => (
            <div key={code}>{text}</div>
          ))}
        </Alert>
      ))}
      {asking.length > 0 && <Typography>{texts.bills.askQuestion}</Typography>}
      {answer.validated.length > 0 && <Validated answer={answer} uids={uids} />}
    </Box>
  );
}

function Validated({ answer, uids }: { answer: ValidationAnswer; uids: Map<number, string> }): ReactNode {
  const mark = (ok: boolean): string => (ok ? "✓" : "✗");
  return (
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
  );
}
