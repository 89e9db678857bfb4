import DoneIcon from "@mui/icons-material/CheckCircle";
import { Button, Link, MenuItem, TableCell, TableRow, TextField } from "@mui/material";
import { type DispatchMethod, type Run, shortTime, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { runs, useDriverUsers, useVehicles } from "../plan/queries.ts";
import { queryClient } from "../shell/query-client.ts";
import { type DispatchDraft, emailProblem, phoneProblemOf } from "./dispatch-draft.ts";
import { RecipientsField } from "../fields/RecipientsField.tsx";
import { EMAILS, PHONES } from "../fields/recipients.ts";

const METHODS = Object.keys(texts.dispatch.methods) as DispatchMethod[];

interface DispatchRowProps {
  run: Run;
  draft: DispatchDraft;
  sms: boolean;
  sending: boolean;
  onChange: (part: Partial<DispatchDraft>) => void;
  onSend: () => void;
}

/** One run of the dispatch table. */
export function DispatchRow({ run, draft, sms, sending, onChange, onSend }: DispatchRowProps): ReactNode {
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
        </Link>
      </TableCell>
      <TableCell data-label={texts.dispatch.shift} sx={{ whiteSpace: "nowrap" }}>
        {shortTime(run.shift_start)} - {shortTime(run.shift_end)}
      </TableCell>
      <TableCell data-label={texts.dispatch.driverUser} sx={{ minWidth: 150 }}>
        <IdSelect
          label={texts.dispatch.driverUser}
          value={run.driver_user_id}
          options={users.map((user) => ({ id: user.id, label: `${user.first_name} ${user.last_name}` }))}
          onChange={(value) => void changeRun(run, { driver_user_id: value })}
        />
      </TableCell>
      <TableCell data-label={texts.dispatch.vehicle} sx={{ minWidth: 130 }}>
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
      <TableCell data-label={texts.dispatch.email} className="wide" sx={{ minWidth: 270 }}>
        <RecipientsField
          kind={EMAILS}
          bare
          label={`${texts.dispatch.email} ${run.uid}`}
          value={draft.email}
          problem={draft.method === "email" ? emailProblem(draft.email) : null}
          onChange={(email) => onChange({ email })}
        />
      </TableCell>
      <TableCell data-label={texts.dispatch.phone} className="wide" sx={{ minWidth: 200 }}>
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
        <Button
          variant="outlined"
          disabled={sending || bothWrong}
          onClick={onSend}
          sx={{ whiteSpace: "nowrap" }}
        >
          {texts.dispatch.send}
        </Button>
      </TableCell>
      <TableCell>
        {run.dispatched && (
          <DoneIcon color="success" fontSize="small" titleAccess={texts.dispatch.dispatched} />
        )}
      </TableCell>
    </TableRow>
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
