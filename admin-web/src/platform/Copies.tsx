import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
  List,
  ListItem,
  ListItemText,
  Typography,
} from "@mui/material";
import {
  answer,
  fill,
  messageOfError,
  momentText,
  quietApi,
  type Schemas,
  texts,
  toastError,
} from "@routewright/web";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useRecordContext } from "react-admin";
import { useMay, useTimezone } from "../data/organisation.ts";
import { CopyOver, type Over } from "./CopyOver.tsx";

type CopiesOf = Schemas["OrganisationCopies"];

interface Row {
  id: number;
  name: string;
  is_master: boolean;
  deleted_at: string | null;
}

/** Milliseconds between two looks at what is being done. */
const LOOK = 2_000;

/** Backups of an organisation: made, restored; and its move to another database. */
export function Copies() {
  const row = useRecordContext<Row>();
  const may = useMay("organisations_write");
  const [open, setOpen] = useState(false);
  if (!row || !may || row.deleted_at !== null) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.admin.platform.copies}</Button>
      {open && <CopiesDialog row={row} onClose={() => setOpen(false)} />}
    </>
  );
}

function CopiesDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const words = texts.admin.platform;
  const timezone = useTimezone();
  const title = useId();
  const key = ["operators", "copies", row.id];
  const client = useQueryClient();
  const params = { path: { id: row.id } };
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => answer(quietApi.GET("/operators/organisations/{id}/copies", { params })),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? LOOK : false),
  });
  const [over, setOver] = useState<Over | null>(null);
  const busy = data === undefined || isBusy(data);
  const elsewhere = (data?.placements ?? []).filter((one) => one !== data?.placement);

  async function backUp(): Promise<void> {
    try {
      take(await answer(quietApi.POST("/operators/organisations/{id}/backup", { params })));
    } catch (failure) {
      toastError(messageOfError(failure));
    }
  }
  function take(copies: CopiesOf): void {
    client.setQueryData(key, copies);
    setOver(null);
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby={title} fullWidth maxWidth="sm">
      <DialogTitle id={title}>{fill(words.copiesTitle, { name: row.name })}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        {error && <Alert severity="error">{messageOfError(error)}</Alert>}
        {data === undefined && !error && <LinearProgress aria-label={words.copies} />}
        {data && !data.configured && <Alert severity="info">{words.noBackupFolder}</Alert>}
        {data && <Work copies={data} timezone={timezone} />}
        {data?.configured && data.backups.length === 0 && (
          <Typography color="text.secondary">{words.noBackups}</Typography>
        )}
        {data && data.backups.length > 0 && (
          <List dense disablePadding aria-label={words.backups}>
            {data.backups.map(({ file, made, size }) => (
              <ListItem
                key={file}
                disableGutters
                divider
                secondaryAction={
                  !row.is_master && (
                    <Button
                      size="small"
                      color="error"
                      disabled={busy}
                      onClick={() => setOver({ file, made: momentText(made, timezone) })}
                    >
                      {words.restore}
                    </Button>
                  )
                }
              >
                <ListItemText
                  primary={momentText(made, timezone)}
                  secondary={`${megabytes(size)} · ${file}`}
                  slotProps={{ secondary: { sx: { overflowWrap: "anywhere", pr: 8 } } }}
                />
              </ListItem>
            ))}
          </List>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: "wrap" }}>
        {data?.configured &&
          !row.is_master &&
          elsewhere.map((placement) => (
            <Button key={placement} color="error" disabled={busy} onClick={() => setOver({ placement })}>
              {fill(words.moveTo, { placement })}
            </Button>
          ))}
        <Button onClick={onClose}>{texts.common.close}</Button>
        {data?.configured && (
          <Button variant="contained" disabled={busy} onClick={() => void backUp()}>
            {words.backUpNow}
          </Button>
        )}
      </DialogActions>
      {over && <CopyOver row={row} over={over} onClose={() => setOver(null)} onOrdered={take} />}
    </Dialog>
  );
}

/** What is being done, else what was done last. */
function Work({ copies, timezone }: { copies: CopiesOf; timezone: string }) {
  const words = texts.admin.platform;
  const [last] = copies.work;
  if (last === undefined) return null;
  const what = words.copyWork[last.what];
  if (last.finished === null) {
    return (
      <Alert severity="info" icon={false}>
        {fill(words.copyRunning, { what })}
        <LinearProgress sx={{ mt: 1 }} aria-label={what} />
      </Alert>
    );
  }
  const at = momentText(last.finished, timezone);
  if (last.state === "done") {
    return <Alert severity="success">{fill(words.copyDone, { what, at })}</Alert>;
  }
  return <Alert severity="error">{fill(words.copyFailed, { what, at, reason: last.error ?? "" })}</Alert>;
}

function isBusy({ work }: CopiesOf): boolean {
  return work.some(({ finished }) => finished === null);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
