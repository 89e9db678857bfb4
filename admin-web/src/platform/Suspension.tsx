import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  TextField,
} from "@mui/material";
import { answer, fill, messageOfError, quietApi, texts, toastSuccess } from "@routewright/web";
import { type SyntheticEvent, useState } from "react";
import { useRecordContext, useRefresh } from "react-admin";
import { useMay } from "../data/organisation.ts";
import { useRowAction } from "../ui/row-action.ts";

interface Row {
  id: number;
  name: string;
  state: string;
  is_master: boolean;
  deleted_at: string | null;
  suspended_at: string | null;
}

/** Suspends an organisation after its name was typed, or resumes one. */
export function Suspension() {
  const row = useRecordContext<Row>();
  const may = useMay("organisations_write");
  const refresh = useRefresh();
  const [open, setOpen] = useState(false);
  const { busy, act } = useRowAction();
  const words = texts.admin.platform;
  if (!row || !may || row.is_master || row.deleted_at !== null || row.state === "deleting") return null;
  const { id } = row;

  const resume = () =>
    act(
      answer(quietApi.POST("/operators/organisations/{id}/resume", { params: { path: { id } } })),
      words.resumed,
    );
  if (row.suspended_at !== null) {
    return (
      <Button loading={busy} onClick={() => void resume()}>
        {words.resume}
      </Button>
    );
  }
  return (
    <>
      <Button color="error" onClick={() => setOpen(true)}>
        {words.suspend}
      </Button>
      {open && <Suspend row={row} onClose={() => setOpen(false)} onDone={refresh} />}
    </>
  );
}

function Suspend({ row, onClose, onDone }: { row: Row; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState("");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const words = texts.admin.platform;
  const ready = name.trim() === row.name.trim() && reason.trim() !== "";

  async function suspend(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { name, reason };
      await answer(
        quietApi.POST("/operators/organisations/{id}/suspend", { params: { path: { id: row.id } }, body }),
      );
      toastSuccess(words.suspended);
      onClose();
      onDone();
    } catch (error) {
      setProblem(messageOfError(error));
      setBusy(false);
    }
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby="suspend" fullWidth maxWidth="sm">
      <form onSubmit={(event) => void suspend(event)}>
        <DialogTitle id="suspend">{fill(words.suspendTitle, { name: row.name })}</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <DialogContentText>{words.suspendText}</DialogContentText>
          <TextField
            autoFocus
            label={fill(words.typeName, { name: row.name })}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <TextField
            label={words.suspendReason}
            helperText={problem ?? words.suspendReasonHelp}
            error={problem !== null}
            value={reason}
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            onChange={(event) => setReason(event.target.value)}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" variant="contained" color="error" disabled={!ready} loading={busy}>
            {words.suspend}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
