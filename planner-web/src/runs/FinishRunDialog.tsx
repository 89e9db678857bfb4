import { Box, Button, TextField, Typography } from "@mui/material";
import {
  decimalOf,
  fill,
  organisationNow,
  request,
  type Run,
  texts,
  toKm,
  useSession,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { MomentField } from "../fields/MomentField.tsx";
import { usePlanContext } from "../plan/context.ts";
import { asksWhetherMeant, ifMeant } from "../plan/driver-busy.ts";
import { Modal } from "../ui/Modal.tsx";
import { refreshRun } from "./actions.ts";

interface FinishRunDialogProps {
  runId: number;
  onClose: () => void;
}

/** Closes a run: end time and end odometer. */
export function FinishRunDialog({ runId, onClose }: FinishRunDialogProps): ReactNode {
  const { plan } = usePlanContext();
  const run = plan.runs.find(({ id }) => id === runId);
  const zone = useSession((state) => state.user?.organisation.timezone);
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const [time, setTime] = useState<string | null>(new Date(organisationNow()).toISOString());
  const [odometer, setOdometer] = useState("");
  const [checked, setChecked] = useState(false);
  const [working, setWorking] = useState(false);
  const km = toKm(decimalOf(odometer), unit);
  const problem = odometerProblem(odometer, km, run);
  const finish = async (): Promise<void> => {
    setChecked(true);
    if (problem !== null || time === null || run === undefined) return;
    setWorking(true);
    try {
      const finished = await ifMeant((force) =>
        request<Run>(`/runs/${runId}/finish`, {
          method: "POST",
          body: { actual_end_time: time, end_odometer: km, force },
          ...asksWhetherMeant,
        }),
      );
      if (finished === null) {
        setWorking(false);
        return;
      }
      await refreshRun(run);
      onClose();
    } catch {
      setWorking(false);
    }
  };
  return (
    <Modal
      title={`${texts.runs.finishTitle} – ${run?.uid ?? ""}`}
      width={440}
      unsaved={odometer !== ""}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={working} onClick={() => void finish()}>
            {texts.runs.finish}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        <MomentField label={texts.runs.finishTime} value={time} onChange={setTime} zone={zone} />
        <TextField
          label={fill(texts.runs.fields.end_odometer, { unit })}
          value={odometer}
          onChange={(event) => setOdometer(event.target.value)}
          error={checked && problem !== null}
          helperText={checked ? problem : undefined}
          slotProps={{ htmlInput: { inputMode: "decimal" } }}
        />
        {run !== undefined && (
          <Typography variant="body2" color="textSecondary">
            {fill(texts.bills.drops, {
              n: run.jobs.filter(({ visited }) => visited).length,
              total: run.jobs.length,
            })}
            . {texts.bills.dropsRule}
          </Typography>
        )}
      </Box>
    </Modal>
  );
}

function odometerProblem(text: string, km: number, run: Run | undefined): string | null {
  if (text.trim() === "" || !Number.isFinite(km)) return texts.checks.numeric;
  const start = run?.start_odometer ?? null;
  return start !== null && km < start ? texts.runs.checks.odometer : null;
}
