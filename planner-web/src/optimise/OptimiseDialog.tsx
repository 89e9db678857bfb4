import {
  Alert,
  Box,
  Button,
  Checkbox,
  FormControlLabel,
  MenuItem,
  TextField,
  Typography,
} from "@mui/material";
import { fill, type Objective, type OptimiseOptions, texts, useSession } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useChosenDrivers } from "../drivers/active.ts";
import { usePlanContext } from "../plan/context.ts";
import { openPanel, useSelection } from "../plan/selection.ts";
import { Modal } from "../ui/Modal.tsx";
import { optimise, POLLING_THRESHOLD } from "./task.ts";

const OBJECTIVES = Object.keys(texts.optimise.objectives) as Objective[];
type Tick =
  "compact" | "ignore_type" | "ignore_time_window" | "ignore_capacity" | "keep_assigned" | "polling";
const TICKS: readonly { name: Tick; label: string }[] = [
  { name: "compact", label: texts.optimise.compact },
  { name: "ignore_type", label: texts.optimise.ignoreType },
  { name: "ignore_time_window", label: texts.optimise.ignoreTimeWindow },
  { name: "ignore_capacity", label: texts.optimise.ignoreCapacity },
  { name: "keep_assigned", label: texts.optimise.keepAssigned },
  { name: "polling", label: texts.optimise.background },
];

/** Starts an optimisation of the active scenario with the ticked drivers. */
export function OptimiseDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { plan, scenarioId } = usePlanContext();
  const { drivers, chosen } = useChosenDrivers();
  const settings = useSession((state) => state.user?.organisation.settings.optimisation);
  const marked = useSelection((state) => state.jobIds);
  const [onlyMarked, setOnlyMarked] = useState(false);
  const [options, setOptions] = useState<OptimiseOptions>({
    objective: settings?.objective ?? "shortest_time",
  });
  const driverIds = drivers.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const jobs = onlyMarked ? marked.size : plan.jobs.length;
  const problem = jobs === 0 ? texts.optimise.noJob : driverIds.length === 0 ? texts.optimise.noDriver : null;
  const [seconds, setSeconds] = useState("");
  const wrongSeconds = seconds.trim() !== "" && !/^([1-9]\d?|[1-5]\d\d|600)$/.test(seconds.trim());
  const standing = plan.jobs.some(({ run_id }) => run_id !== null);
  const start = (improve: boolean): void => {
    if (scenarioId === null || problem !== null || wrongSeconds) return;
    onClose();
    void optimise({
      scenarioId,
      jobs,
      driverIds,
      options: {
        ...options,
        ...(onlyMarked ? { job_ids: [...marked] } : {}),
        ...(seconds.trim() === "" ? {} : { max_seconds: Number(seconds) }),
        ...(improve ? { improve } : {}),
      },
      threshold: settings?.polling_threshold ?? POLLING_THRESHOLD,
    });
  };
  return (
    <Modal
      title={texts.optimise.title}
      width={460}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          {standing && (
            <Button
              disabled={problem !== null || wrongSeconds}
              title={texts.optimise.improveHelp}
              onClick={() => start(true)}
            >
              {texts.optimise.improve}
            </Button>
          )}
          <Button
            variant="contained"
            disabled={problem !== null || wrongSeconds}
            onClick={() => start(false)}
            autoFocus
          >
            {texts.optimise.button}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2 }}>
        {problem !== null && <Alert severity="warning">{problem}</Alert>}
        <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
          <Typography>{fill(texts.optimise.summary, { jobs, drivers: driverIds.length })}</Typography>
          <Button
            onClick={() => {
              onClose();
              openPanel("drivers");
            }}
          >
            {texts.optimise.chooseDrivers}
          </Button>
        </Box>
        <TextField
          select
          label={texts.optimise.objective}
          value={options.objective ?? "shortest_time"}
          onChange={(event) => setOptions({ ...options, objective: event.target.value as Objective })}
        >
          {OBJECTIVES.map((objective) => (
            <MenuItem key={objective} value={objective}>
              {texts.optimise.objectives[objective]}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          label={texts.optimise.seconds}
          value={seconds}
          error={wrongSeconds}
          helperText={wrongSeconds ? texts.optimise.secondsRange : texts.optimise.secondsHelp}
          slotProps={{ htmlInput: { inputMode: "numeric" } }}
          onChange={(event) => setSeconds(event.target.value)}
        />
        <Box>
          {marked.size > 0 && (
            <FormControlLabel
              sx={{ display: "flex" }}
              control={<Checkbox checked={onlyMarked} onChange={(_, checked) => setOnlyMarked(checked)} />}
              label={fill(texts.optimise.onlyMarked, { n: marked.size })}
            />
          )}
          {TICKS.map(({ name, label }) => (
            <FormControlLabel
              key={name}
              sx={{ display: "flex" }}
              control={
                <Checkbox
                  checked={options[name] ?? false}
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
