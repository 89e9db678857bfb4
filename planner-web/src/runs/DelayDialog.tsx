import { Box, Button, Slider, TextField, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { ReasonChoice } from "../scenarios/ReasonChoice.tsx";
import { Modal } from "../shell/Modal.tsx";
import { delayRun } from "./actions.ts";

/** Limits of the slider and of the number input, in minutes. */
const SLIDER = 60;
const INPUT = 1000;

interface DelayDialogProps {
  runId: number;
  onClose: () => void;
}

/** Delays or advances a whole run. */
export function DelayDialog({ runId, onClose }: DelayDialogProps): ReactNode {
  const dispatched = usePlanContext().plan.runs.find(({ id }) => id === runId)?.dispatched ?? false;
  const [delay, setDelay] = useState(0);
  const [why, setWhy] = useState<number | null>(null);
  const [working, setWorking] = useState(false);
  const confirm = async (): Promise<void> => {
    setWorking(true);
    try {
      await delayRun(runId, delay, why);
      onClose();
    } catch {
      setWorking(false);
    }
  };
  return (
    <Modal
      title={texts.runs.delay}
      width={440}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" disabled={delay === 0} loading={working} onClick={() => void confirm()}>
            {texts.common.confirm}
          </Button>
        </>
      }
    >
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
        {texts.runs.delayHelp}
      </Typography>
      <Box sx={{ display: "flex", gap: 3, alignItems: "center", px: 1 }}>
        <Slider
          min={-SLIDER}
          max={SLIDER}
          step={5}
          marks={[
            { value: -60, label: "−60" },
            { value: 0, label: "0" },
            { value: 60, label: "60" },
          ]}
          value={Math.max(-SLIDER, Math.min(SLIDER, delay))}
          onChange={(_, value: number | number[]) => setDelay(typeof value === "number" ? value : 0)}
          valueLabelDisplay="auto"
          aria-label={texts.runs.delayMinutes}
        />
        <TextField
          type="number"
          label={texts.runs.delayMinutes}
          value={delay}
          sx={{ width: 120 }}
          onChange={(event) => {
            const value = Math.trunc(Number(event.target.value));
            setDelay(Math.max(-INPUT, Math.min(INPUT, value)));
          }}
          slotProps={{ htmlInput: { min: -INPUT, max: INPUT } }}
        />
      </Box>
      {dispatched && (
        <Box sx={{ display: "grid", mt: 2 }}>
          <ReasonChoice value={why} onChange={setWhy} />
        </Box>
      )}
    </Modal>
  );
}
