import DoneIcon from "@mui/icons-material/CheckCircle";
import { Box, Button, Link, MenuItem, TableCell, TableRow, TextField, Typography } from "@mui/material";
import {
  clockText,
  type DispatchMethod,
  distanceText,
  fill,
  type Job,
  type Run,
  shortTime,
  texts,
  useSession,
  personName,
} from "@routewright/web";
import { type ReactNode, useMemo } from "react";
import { PhoneContact } from "../contact/PhoneContact.tsx";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { expectedEnd } from "../plan/lateness.ts";
import { Links } from "../plan/links.ts";
import { loadsOf } from "../plan/load.ts";
import { ProblemIcon } from "../plan/ProblemIcon.tsx";
import { DriverName } from "../plan/DriverName.tsx";
import { runs, useDriverUsers, useVehicles } from "../plan/queries.ts";
import { useProblems, useProblemTerms } from "../plan/use-problems.ts";
import { queryClient } from "../ui/query-client.ts";
import { type DispatchDraft, emailProblem, phoneProblemOf } from "./dispatch-draft.ts";
import { RecipientsField } from "../fields/RecipientsField.tsx";
import { EMAILS, PHONES } from "../fields/recipients.ts";

const METHODS = Object.keys(texts.dispatch.methods) as DispatchMethod[];

interface DispatchRowProps {
  run: Run;
  /** In visiting order. */
  stops: readonly Job[];
  draft: DispatchDraft;
  sms: boolean;
  sending: boolean;
  onChange: (part: Partial<DispatchDraft>) => void;
  onSend: () => void;
}

/** One run of the dispatch table. */
export function DispatchRow({
  run,
  stops,
  draft,
  sms,
  sending,
  onChange,
  onSend,
}: DispatchRowProps): ReactNode {
  const { data: users = [] } = useDriverUsers();
  const { data: vehicles = [] } = useVehicles();
  const bothWrong = emailProblem(draft.email) !== null && phoneProblemOf(draft.phone) !== null;
  return (
    <TableRow hover>
      <TableCell data-label={texts.dispatch.driver} sx={{ whiteSpace: "nowrap" }}>
        <Link
          component="button"
          type="button"
          onClick={() => openDialog({ kind: "run-sheet", runId: run.id })}
        >
          {run.driver.uid}
        </Link>{" "}
        <DriverName of={{ ...run.driver, driver_user_id: run.driver_user_id }} />
      </TableCell>
      <TableCell data-label={texts.dispatch.shift} sx={{ whiteSpace: "nowrap" }}>
        {shortTime(run.shift_start)} - {shortTime(run.shift_end)}
      </TableCell>
      <TableCell data-label={texts.dispatch.check} className="wide" sx={{ minWidth: 165 }}>
        <RunCheck run={run} stops={stops} />
        {run.dispatched && <PhoneContact run={run} />}
      </TableCell>
      <TableCell data-label={texts.dispatch.driverUser} sx={{ minWidth: 120 }}>
        <IdSelect
          label={texts.dispatch.driverUser}
          value={run.driver_user_id}
          options={users.map((user) => ({ id: user.id, label: personName(user) }))}
          onChange={(value) => void changeRun(run, { driver_user_id: value })}
        />
      </TableCell>
      <TableCell data-label={texts.dispatch.vehicle} sx={{ minWidth: 110 }}>
        <IdSelect
          label={texts.dispatch.vehicle}
          value={run.vehicle_id}
          options={vehicles.map(({ id, uid }) => ({ id, label: uid }))}
          onChange={(value) => void changeRun(run, { vehicle_id: value })}
        />
      </TableCell>
      <TableCell data-label={texts.dispatch.method} sx={{ minWidth: 110 }}>
        <TextField
          select
          value={draft.method}
          slotProps={{ htmlInput: { "aria-label": `${texts.dispatch.method} ${run.uid}` } }}
          onChange={(event) => onChange({ method: event.target.value as DispatchMethod })}
        >
          {METHODS.map((method) => (
            <MenuItem key={method} value={method} disabled={method === "sms" && !sms}>
              {texts.dispatch.methods[method]}
            </MenuItem>
          ))}
        </TextField>
      </TableCell>
      <TableCell data-label={texts.dispatch.email} className="wide" sx={{ minWidth: 220 }}>
        <RecipientsField
          kind={EMAILS}
          bare
          label={`${texts.dispatch.email} ${run.uid}`}
          value={draft.email}
          problem={draft.method === "email" ? emailProblem(draft.email) : null}
          onChange={(email) => onChange({ email })}
        />
      </TableCell>
      <TableCell data-label={texts.dispatch.phone} className="wide" sx={{ minWidth: 175 }}>
        <RecipientsField
          kind={PHONES}
          bare
          label={`${texts.dispatch.phone} ${run.uid}`}
          value={draft.phone}
          disabled={draft.method !== "sms"}
          problem={draft.method === "sms" ? phoneProblemOf(draft.phone) : null}
          onChange={(phone) => onChange({ phone })}
        />
      </TableCell>
      <TableCell>
        <Box sx={{ display: "flex", alignItems: "center", gap: 0.5 }}>
          <Button
            variant="outlined"
            disabled={sending || bothWrong}
            onClick={onSend}
            sx={{ whiteSpace: "nowrap", px: 1 }}
          >
            {texts.dispatch.send}
          </Button>
          {run.dispatched && (
            <DoneIcon color="success" fontSize="small" titleAccess={texts.dispatch.dispatched} />
          )}
        </Box>
      </TableCell>
    </TableRow>
  );
}

/** What the driver is sent on, in figures, and what is wrong with it. */
function RunCheck({ run, stops }: Pick<DispatchRowProps, "run" | "stops">): ReactNode {
  const { plan } = usePlanContext();
  const terms = useProblemTerms();
  const problems = useProblems().ofRun(run.id);
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const loads = useMemo(
    () => loadsOf(run, stops, terms, new Links(terms.mode === "on_board" ? plan.jobs : [])),
    [run, stops, terms, plan.jobs],
  );
  const figures = [
    fill(texts.dispatch.stops, { n: stops.length }),
    distanceText(run.distance, unit),
    ...loads.map((load) =>
      fill(texts.runs.load, { ...load, key: load.key === "size" ? "" : load.key }).trim(),
    ),
    fill(texts.dispatch.ends, { at: clockText(expectedEnd(run, stops), terms.zone) }),
  ];
  return (
    <>
      <Typography variant="caption" component="div">
        {figures.join(" · ")}
        {run.roads_source?.includes("great_circle") === true && ` · ${texts.problems.straightLines}`}
      </Typography>
      {problems.length > 0 && (
        <Box sx={{ display: "flex", gap: 0.5, alignItems: "center" }}>
          <ProblemIcon problems={problems} />
          <Typography variant="caption" color="error">
            {problems[0]?.text}
            {problems.length > 1 && ` · ${fill(texts.dispatch.moreProblems, { n: problems.length - 1 })}`}
          </Typography>
        </Box>
      )}
    </>
  );
}

async function changeRun(run: Run, change: Partial<Run>): Promise<void> {
  try {
    const changed = await runs.change(run.id, change);
    queryClient.setQueryData<Run[]>(keys.runs(run.scenario_id), (list) =>
      list?.map((item) =>
        item.id === run.id ? { ...item, ...changed, jobs: item.jobs, route: item.route } : item,
      ),
    );
  } catch {
    // Told by the toast.
  }
}

interface IdSelectProps {
  label: string;
  value: number | null;
  options: readonly { id: number; label: string }[];
  onChange: (value: number | null) => void;
}

function IdSelect({ label, value, options, onChange }: IdSelectProps): ReactNode {
  const known = value !== null && options.some(({ id }) => id === value);
  return (
    <TextField
      select
      value={known ? value : ""}
      slotProps={{ htmlInput: { "aria-label": label }, select: { displayEmpty: true } }}
      onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))}
    >
      <MenuItem value="">–</MenuItem>
      {options.map(({ id, label: text }) => (
        <MenuItem key={id} value={id}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}
