import HistoryIcon from "@mui/icons-material/History";
import CloseIcon from "@mui/icons-material/Close";
import { Alert, Box, Button, CircularProgress, Drawer, IconButton, Stack, Typography } from "@mui/material";
import { fill, momentText, texts } from "@routewright/web";
import { useState } from "react";
import { useGetList, useRecordContext, type Identifier } from "react-admin";
import { useMay, useTimezone } from "../data/organisation.ts";
import { type AuditEntry, Changes } from "./Changes.tsx";
import { choiceName } from "./planning.ts";

/** Name of the noun that lists the audit trail. */
export const AUDIT = "management/audit";
const MOST = 100;

/** Opens who did what to the record of the page, for whoever may read the audit trail. */
export function HistoryButton({ kind }: { kind: string }) {
  const record = useRecordContext();
  const may = useMay("organisation_settings_write");
  const [open, setOpen] = useState(false);
  if (!record || !may) return null;
  return (
    <>
      <Button startIcon={<HistoryIcon />} onClick={() => setOpen(true)}>
        {texts.admin.audit.history}
      </Button>
      <Drawer anchor="right" open={open} onClose={() => setOpen(false)}>
        <Box
          role="dialog"
          aria-label={texts.admin.audit.history}
          sx={{ width: { xs: "100vw", sm: 480 }, p: 2 }}
        >
          <Box sx={{ display: "flex", justifyContent: "space-between", alignItems: "center", mb: 1 }}>
            <Typography variant="h6">{texts.admin.audit.history}</Typography>
            <IconButton aria-label={texts.common.close} onClick={() => setOpen(false)}>
              <CloseIcon />
            </IconButton>
          </Box>
          {open && <History kind={kind} id={record.id} />}
        </Box>
      </Drawer>
    </>
  );
}

function History({ kind, id }: { kind: string; id: Identifier }) {
  const timezone = useTimezone();
  const { data, total, isPending, error } = useGetList<AuditEntry>(AUDIT, {
    filter: { object_kind: kind, object_id: id },
    pagination: { page: 1, perPage: MOST },
    sort: { field: "id", order: "DESC" },
  });
  if (error)
    return <Alert severity="error">{error instanceof Error ? error.message : texts.errors.unknown}</Alert>;
  if (isPending) return <CircularProgress aria-label={texts.common.loading} />;
  if (data.length === 0) return <Typography color="text.secondary">{texts.admin.audit.none}</Typography>;
  return (
    <Stack component="ol" spacing={2} sx={{ listStyle: "none", p: 0, m: 0 }}>
      {data.map((entry) => (
        <Box component="li" key={entry.id} sx={{ borderLeft: 3, borderColor: "divider", pl: 1.5 }}>
          <Typography variant="body2" sx={{ fontWeight: 500 }}>
            {fill(texts.admin.audit.did, { what: choiceName(entry.change), who: entry.actor })}
          </Typography>
          <Typography variant="caption" color="text.secondary">
            <time dateTime={entry.at}>{momentText(entry.at, timezone)}</time>
            {entry.action !== null && ` · ${entry.action}`}
          </Typography>
          <Typography component="div" variant="body2">
            <Changes entry={entry} all />
          </Typography>
        </Box>
      ))}
      {total !== undefined && total > data.length && (
        <Typography color="text.secondary">
          {fill(texts.admin.audit.more, { n: total - data.length })}
        </Typography>
      )}
    </Stack>
  );
}
