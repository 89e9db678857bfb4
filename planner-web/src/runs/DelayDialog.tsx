import { Box, Button, Slider, TextField, Typography } from "@mui/material";
import { fill, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Effect } from "../moves/Effect.tsx";
import { usePlanContext } from "../plan/context.ts";
import { ReasonChoice } from "../scenarios/ReasonChoice.tsx";
import { Modal } from "../ui/Modal.tsx";
import { delayedRun, delayRun } from "./actions.ts";

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
  const [text, setText] = useState("0");
  const minutes = minutesOfText(text);
  const delay = minutes ?? 0;
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
          <Button
            variant="contained"
            disabled={minutes === null || minutes === 0}
            loading={working}
            onClick={() => void confirm()}
          >
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
          onChange={(_, value: number | number[]) => setText(String(typeof value === "number" ? value : 0))}
          valueLabelDisplay="auto"
          aria-label={texts.runs.delayMinutes}
        />
        <TextField
          label={texts.runs.delayMinutes}
          value={text}
          error={minutes === null}
          helperText={minutes === null ? fill(texts.runs.delayRange, { most: INPUT }) : undefined}
          sx={{ width: 150 }}
          onChange={(event) => setText(event.target.value)}
          onFocus={(event) => event.target.select()}
          slotProps={{ htmlInput: { inputMode: "text", autoComplete: "off" } }}
        />
      </Box>
      <Box sx={{ mt: 2 }}>
        <Effect
          of={minutes === null || minutes === 0 ? null : `delay ${runId} ${minutes}`}
          ask={async () => ({ runs: [await delayedRun(runId, delay)] })}
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

/** Whole minutes as typed, such as `-20`; `null` when it is none, or too much. An empty text is none yet: 0. */
function minutesOfText(text: string): number | null {
  const typed = text.trim().replace("−", "-");
  if (typed === "") return 0;
  if (!/^[-+]?\d+$/.test(typed)) return null;
  const value = Number(typed);
  return Math.abs(value) <= INPUT ? value : null;
}
