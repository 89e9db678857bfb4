import { texts, fill } from "@routewright/web";
import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
} from "@mui/material";
import type { ValidationAnswer } from "@routewright/web/model";
import { fieldLabel } from "../../resource/labels.ts";

/** What came of validating several runs. */
export function ValidationSummary({
  answer,
  names,
  confirm,
  close,
}: {
  answer: ValidationAnswer | undefined;
  /** Run id to the run's uid. */
  names: Map<number, string>;
  /** Validates these all the same. */
  confirm: (ids: number[]) => void;
  close: () => void;
}) {
  const asking = answer?.asking ?? [];
  return (
    <Dialog open={answer !== undefined} onClose={close} maxWidth="sm" fullWidth>
      <DialogTitle>{texts.runs.validation.title}</DialogTitle>
      {answer && (
        <DialogContent>
          <Alert severity={answer.failed.length + asking.length > 0 ? "warning" : "success"} sx={{ mb: 2 }}>
            {fill(texts.admin.runs.summary, {
              done: answer.validated.length,
              failed: answer.failed.length + asking.length,
            })}
          </Alert>
          {asking.map(({ id, uid, concerns }) => (
            <Alert key={id} severity="warning" sx={{ mb: 2 }}>
              {[uid, ...concerns.map(({ text }) => text)].join(": ")}
            </Alert>
          ))}
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{texts.runs.moveRun}</TableCell>
                <TableCell>{texts.admin.runs.timeCheck}</TableCell>
                <TableCell>{texts.admin.runs.distanceCheck}</TableCell>
                <TableCell>{texts.admin.runs.missing}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {answer.validated.map((run) => (
                <TableRow key={run.id}>
                  <TableCell>{names.get(run.id) ?? run.id}</TableCell>
                  <TableCell>{run.time_ok ? texts.admin.runs.passed : texts.admin.runs.overPlan}</TableCell>
                  <TableCell>
                    {run.distance_ok ? texts.admin.runs.passed : texts.admin.runs.overPlan}
                  </TableCell>
                  <TableCell />
                </TableRow>
              ))}
              {answer.failed.map((run) => (
                <TableRow key={run.id}>
                  <TableCell>{run.uid}</TableCell>
                  <TableCell />
                  <TableCell />
                  <TableCell>{run.missing.map(fieldLabel).join(", ")}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </DialogContent>
      )}
      <DialogActions>
        <Button onClick={close}>{texts.common.close}</Button>
        {asking.length > 0 && (
          <Button variant="contained" onClick={() => confirm(asking.map(({ id }) => id))}>
            {texts.bills.askYes}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
