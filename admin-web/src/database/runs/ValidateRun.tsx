import VerifiedIcon from "@mui/icons-material/Verified";
import {
  Button,
  Chip,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Tooltip,
} from "@mui/material";
import { quietApi, answer, toastError, toastSuccess, texts, fill } from "@routewright/web";
import type { Run } from "@routewright/web/model";
import { useState } from "react";
import { useRecordContext, useRefresh } from "react-admin";
import { useMay } from "../../data/organisation.ts";
import { fieldLabel } from "../../resource/labels.ts";
import { excessOf, excessTexts, missingForValidation } from "./tolerance.ts";

/** Validates the run so that it can be billed; asks first when it is more than 15 % over its plan. */
export function ValidateRun() {
  const run = useRecordContext<Run>();
  const mayWrite = useMay("runs_write");
  const seesBilling = useMay("billing_rates_read");
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [concerns, setConcerns] = useState<string[]>([]);
  if (!run || !mayWrite || !seesBilling) return null;
  if (run.validated_at) return <Chip icon={<VerifiedIcon />} color="success" label={texts.runs.validated} />;
  const { id } = run;
  const missing = missingForValidation(run);
  const excess = excessOf(run);

  async function validate(force = false): Promise<void> {
    setAsking(false);
    setConcerns([]);
    setBusy(true);
    try {
      const body = { run_ids: [id], force };
      const { failed: refused, asking: open = [] } = await answer(quietApi.PATCH("/runs/validate", { body }));
      const failed = refused[0];
      if (open[0]) setConcerns(open[0].concerns.map(({ text }) => text));
      else if (failed)
        toastError(
          fill(texts.admin.runs.lacks, {
            uid: failed.uid,
            fields: failed.missing.map(fieldLabel).join(", "),
          }),
        );
      else toastSuccess(texts.admin.runs.runValidated);
      refresh();
    } catch (error) {
      toastError(error instanceof Error ? error.message : texts.errors.unknown);
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Tooltip
        title={
          missing.length > 0
            ? fill(texts.admin.runs.missingFields, { fields: missing.map(fieldLabel).join(", ") })
            : ""
        }
      >
        <span>
          <Button
            variant="contained"
            startIcon={<VerifiedIcon />}
            loading={busy}
            disabled={missing.length > 0}
            onClick={() => (excess.timeOk && excess.distanceOk ? void validate() : setAsking(true))}
          >
            {texts.runs.validation.validate}
          </Button>
        </span>
      </Tooltip>
      <Dialog open={concerns.length > 0} onClose={() => setConcerns([])}>
        <DialogTitle>{texts.bills.askTitle}</DialogTitle>
        <DialogContent>
          {concerns.map((text) => (
            <DialogContentText key={text}>{text}</DialogContentText>
          ))}
          <DialogContentText sx={{ mt: 1 }}>{texts.bills.askQuestion}</DialogContentText>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setConcerns([])}>{texts.runs.validation.no}</Button>
          <Button variant="contained" onClick={() => void validate(true)}>
            {texts.bills.askYes}
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog open={asking} onClose={() => setAsking(false)}>
        <DialogTitle>{texts.runs.validation.title}</DialogTitle>
        <DialogContent>
          {excessTexts(excess).map((text) => (
            <DialogContentText key={text}>{text}</DialogContentText>
          ))}
          <DialogContentText sx={{ mt: 1 }}>{texts.runs.validation.question}</DialogContentText>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setAsking(false)}>{texts.runs.validation.no}</Button>
          <Button variant="contained" onClick={() => void validate()}>
            {texts.runs.validation.yes}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
