import AddIcon from "@mui/icons-material/Add";
import {
  Box,
  Button,
  LinearProgress,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TablePagination,
  TableRow,
  TextField,
  Typography,
} from "@mui/material";
import { type Job, texts, toastWarning, useLevel } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { openDialog } from "../plan/dialogs.ts";
import { ButtonsHead } from "../ui/ButtonsHead.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { useView } from "../ui/view.ts";
import {
  type Attachment,
  ATTACHMENT_COLUMNS,
  attachmentKey,
  type AttachmentKind,
  deleteAttachment,
  loadAttachments,
} from "./attachments.ts";
import { AttachmentForm } from "./AttachmentForm.tsx";
import { AttachmentRow } from "./AttachmentRow.tsx";
import { ContainerForm } from "./ContainerForm.tsx";
import { PoolButtons } from "./PoolButtons.tsx";
import { ReturnsButtons } from "./ReturnsButtons.tsx";

const NOTHING: readonly Attachment[] = [];
/** Rows on one page. */
const ROWS = 10;

interface AttachmentListProps {
  kind: AttachmentKind;
  job: Job;
  editable: boolean;
}

/** Units, returns or containers of a job; one row at a time can be edited. */
export function AttachmentList({ kind, job, editable }: AttachmentListProps): ReactNode {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const [editing, setEditing] = useState<number | "new" | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const asked = useDebounced(search.trim().toLowerCase(), 500);
  const unitsWrite = useLevel("units_write");
  const returnsWrite = useLevel("returns_write");
  const tracked = useView() === "tracking";
  const containersWrite = useLevel("containers_write");
  // A container belongs to a job through its units.
  const mayWrite = { units: unitsWrite, returns: returnsWrite, containers: containersWrite && unitsWrite };
  const writable = editable && mayWrite[kind];
  const { data = NOTHING, isPending } = useQuery({
    queryKey: attachmentKey(kind, job.id),
    queryFn: () => loadAttachments(kind, job.id),
  });
  const columns = ATTACHMENT_COLUMNS[kind];
  const found = useMemo(() => data.filter(({ uid }) => uid.toLowerCase().includes(asked)), [data, asked]);
  const shown = found.slice(page * ROWS, page * ROWS + ROWS);
  const edit = (which: number | "new"): void => {
    if (editing === null) setEditing(which);
    else
      toastWarning(
        which === "new" && editing === "new" ? texts.attachments.oneAdd : texts.attachments.oneEdit,
      );
  };
  const done = (): void => setEditing(null);
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
        <TextField
          placeholder={texts.attachments.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          sx={{ maxWidth: 220 }}
          slotProps={{ htmlInput: { "aria-label": texts.attachments.search } }}
        />
        {writable && (
          <Button startIcon={<AddIcon />} onClick={() => edit("new")}>
            {texts.attachments.addNew}
          </Button>
        )}
        {kind !== "containers" && (
          <PoolButtons
            kind={kind}
            job={job}
            ids={[...marked]}
            all={data}
            writable={writable}
            onMoved={() => setMarked(new Set())}
          />
        )}
        {kind === "returns" && writable && <ReturnsButtons job={job} ids={[...marked]} />}
      </Box>
      {editing === "new" && <Editor kind={kind} job={job} attachment={null} onDone={done} />}
      {isPending && <LinearProgress aria-label={texts.common.loading} />}
      {!isPending && found.length === 0 && editing === null && (
        <Typography color="textSecondary">{texts.attachments.none}</Typography>
      )}
      {shown.length > 0 && (
        <Table>
          <TableHead>
            <TableRow>
              <TableCell padding="checkbox" />
              <TableCell>{texts.jobs.fields.uid}</TableCell>
              {columns.map(({ name, label }) => (
                <TableCell key={name}>{label}</TableCell>
              ))}
              <ButtonsHead />
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.map((item) =>
              editing === item.id ? (
                <TableRow key={item.id}>
                  <TableCell colSpan={columns.length + 3}>
                    <Editor kind={kind} job={job} attachment={item} onDone={done} />
                  </TableCell>
                </TableRow>
              ) : (
                <AttachmentRow
                  key={item.id}
                  item={item}
                  columns={columns}
                  marked={marked.has(item.id)}
                  onMark={() => setMarked(toggled(marked, item.id))}
                  onEdit={writable ? () => edit(item.id) : null}
                  onDelete={
                    writable && kind !== "containers" ? () => deleteAttachment(kind, job, item.id) : null
                  }
                  onOpen={
                    kind === "units" && !tracked ? () => openDialog({ kind: "unit", unitId: item.id }) : null
                  }
                />
              ),
            )}
          </TableBody>
        </Table>
      )}
      {found.length > ROWS && (
        <TablePagination
          component="div"
          count={found.length}
          page={page}
          rowsPerPage={ROWS}
          rowsPerPageOptions={[ROWS]}
          onPageChange={(_, next) => setPage(next)}
        />
      )}
    </Box>
  );
}

interface EditorProps {
  kind: AttachmentKind;
  job: Job;
  attachment: Attachment | null;
  onDone: () => void;
}

function Editor({ kind, job, attachment, onDone }: EditorProps): ReactNode {
  return kind === "containers" ? (
    <ContainerForm job={job} container={attachment} onDone={onDone} />
  ) : (
    <AttachmentForm kind={kind} job={job} attachment={attachment} onDone={onDone} />
  );
}

function toggled(set: ReadonlySet<number>, id: number): Set<number> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
