import { Alert, Box, Button, Checkbox, FormControlLabel, TextField, Typography } from "@mui/material";
import {
  messageOfError,
  type OptimiseAnswer,
  request,
  type RunOptimiseOptions,
  texts,
  toastError,
  toastWarning,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { reloadPlan } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { finish } from "./task.ts";

type Tick = "ignore_type" | "ignore_time_window" | "fix_job_start" | "ignore_capacity";
const TICKS: readonly { name: Tick; label: string }[] = [
  { name: "ignore_type", label: texts.optimise.ignoreType },
  { name: "ignore_time_window", label: texts.optimise.ignoreTimeWindow },
  { name: "ignore_capacity", label: texts.optimise.ignoreCapacity },
  { name: "fix_job_start", label: texts.optimise.fixJobStart },
];

interface AdvancedRoutingDialogProps {
  runId: number;
  onClose: () => void;
}

/** Optimises the sequence of one run. */
export function AdvancedRoutingDialog({ runId, onClose }: AdvancedRoutingDialogProps): ReactNode {
  const { plan, scenarioId } = usePlanContext();
  const run = plan.runs.find(({ id }) => id === runId);
  const [options, setOptions] = useState<RunOptimiseOptions>({
    delay_start_time: 0,
    delay_end_time: 0,
    ignore_type: false,
    ignore_time_window: false,
    fix_job_start: false,
    ignore_capacity: false,
  });
  const [working, setWorking] = useState(false);
  const wrongOrder = options.delay_end_time < options.delay_start_time;
  const route = async (): Promise<void> => {
    if (scenarioId === null) return;
    if (wrongOrder) {
      toastWarning(texts.optimise.delayOrder);
      return;
    }
    setWorking(true);
    try {
      const answer = await request<OptimiseAnswer>(`/optimise/runs/${runId}`, {
        method: "POST",
        body: options,
        quiet: true,
      });
      const { data } = answer;
      // The answer may carry this run alone: keep the others.
      const others = plan.runs.filter(({ id }) => data?.runs.every((answered) => answered.id !== id) ?? true);
      finish(
        scenarioId,
        data === undefined ? answer : { ...answer, data: { ...data, runs: [...others, ...data.runs] } },
      );
      await reloadPlan(scenarioId);
      onClose();
    } catch (error) {
      toastError(messageOfError(error));
      setWorking(false);
    }
  };
  return (
    <Modal
      title={`${texts.optimise.runTitle} – ${run?.uid ?? ""}`}
      width={460}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={working} onClick={() => void route()}>
            {texts.optimise.route}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        <Typography variant="body2" color="textSecondary">
          {texts.optimise.delayHelp}
        </Typography>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "1fr 1fr" }}>
          {(["delay_start_time", "delay_end_time"] as const).map((name) => (
            <TextField
              key={name}
              type="number"
              label={name === "delay_start_time" ? texts.optimise.delayStart : texts.optimise.delayEnd}
              value={options[name]}
              onChange={(event) => setOptions({ ...options, [name]: Math.trunc(Number(event.target.value)) })}
            />
          ))}
        </Box>
        {wrongOrder && <Alert severity="warning">{texts.optimise.delayOrder}</Alert>}
        <Box>
          {TICKS.map(({ name, label }) => (
            <FormControlLabel
              key={name}
              sx={{ display: "flex" }}
              control={
                <Checkbox
                  checked={options[name]}
                  onChange={(_, checked) => setOptions({ ...options, [name]: checked })}
                />
              }
              label={label}
            />
          ))}
        </Box>
      </Box>
    </Modal>
  );
}
