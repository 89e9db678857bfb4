import { Alert, Autocomplete, Box, Button, TextField } from "@mui/material";
import {
  fill,
  type Page,
  request,
  type Scenario,
  scenarioDateText,
  shortTime,
  texts,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { jobsById, runsById, stopsOf } from "../plan/plan.ts";
import { ReasonChoice } from "../scenarios/ReasonChoice.tsx";
import { Modal } from "../ui/Modal.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { moveToDay } from "./another-day.ts";

/** Moves a job to the plan of another day, the next one unless another is chosen, and says before what becomes of it. */
export function AnotherDayDialog({ jobId, onClose }: { jobId: number; onClose: () => void }): ReactNode {
  const { plan, scenario } = usePlanContext();
  // It stays what is asked about while it leaves the plan.
  const [job] = useState(() => jobsById(plan.jobs).get(jobId));
  const run = runsById(plan.runs).get(job?.run_id ?? 0);
  const [chosen, setChosen] = useState<Scenario | null | undefined>(undefined);
  const [text, setText] = useState("");
  const [why, setWhy] = useState<number | null>(null);
  const [working, setWorking] = useState(false);
  const asked = useDebounced(text, 500);
  const day = scenario?.scheduled_date ?? "";
  const { data, isFetching } = useQuery({
    queryKey: [...keys.scenarios, "days", day, asked],
    queryFn: () =>
      request<Page<Scenario>>("/scenarios", {
        query: {
          search: asked,
          per_page: 25,
          scheduled_date_start: day,
          sort_by: "scheduled_date",
          sort_order: "asc",
        },
      }),
  });
  const days = (data?.data ?? []).filter(({ scheduled_date: of }) => of !== day);
  const to = chosen === undefined ? (days[0] ?? null) : chosen;
  if (job === undefined) return null;
  const move = async (): Promise<void> => {
    if (to === null) return;
    setWorking(true);
    const left = await moveToDay(job, to, run?.dispatched === true ? why : null);
    setWorking(false);
    if (left) onClose();
  };
  const [from, until] = [shortTime(job.arrive_after), shortTime(job.leave_by)];
  const window = from === "" && until === "" ? "" : `${from || "…"}–${until || "…"}`;
  const effects = [
    run !== undefined &&
      fill(texts.live.leavesRun, { run: run.uid, n: stopsOf(plan.jobs, run.id).length - 1 }),
    to !== null &&
      fill(texts.live.unservedThere, { name: to.name, date: scenarioDateText(to.scheduled_date) }),
    window !== "" && fill(texts.live.keepsWindow, { window }),
  ].filter((effect) => effect !== false);
  return (
    <Modal
      title={fill(texts.live.anotherDayTitle, { uid: job.uid })}
      width={460}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" disabled={to === null} loading={working} onClick={() => void move()}>
            {texts.live.moveThere}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        <Autocomplete<Scenario>
          options={days}
          value={to}
          loading={isFetching}
          getOptionLabel={({ name, scheduled_date: date }) => `${name} · ${scenarioDateText(date)}`}
          getOptionKey={({ id }) => id}
          isOptionEqualToValue={(option, value) => option.id === value.id}
          filterOptions={(all) => all}
          noOptionsText={texts.live.noOtherDay}
          onInputChange={(_, next, reason) => {
            if (reason === "input") setText(next);
          }}
          onChange={(_, next) => setChosen(next)}
          renderInput={(parameters) => <TextField {...parameters} label={texts.scenarios.scenario} />}
        />
        {to === null && !isFetching && days.length === 0 && (
          <Alert severity="warning">{texts.live.noOtherDay}</Alert>
        )}
        <Alert severity="info">
          {effects.map((effect) => (
            <div key={effect}>{effect}</div>
          ))}
        </Alert>
        {run?.dispatched === true && <ReasonChoice value={why} onChange={setWhy} />}
      </Box>
    </Modal>
  );
}
