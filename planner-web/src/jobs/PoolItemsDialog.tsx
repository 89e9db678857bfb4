import {
  Alert,
  Box,
  Button,
  Checkbox,
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
import { fill, type Job, messageOfError, type Page, request, texts } from "@routewright/web";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Modal } from "../ui/Modal.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { type Attachment, ATTACHMENT_COLUMNS, attachmentKey, attachmentsFromPool } from "./attachments.ts";

/** Rows on one page. */
const ROWS = 10;

interface PoolItemsDialogProps {
  kind: "units" | "returns";
  job: Job;
  onClose: () => void;
}

/** Units or returns of the pool, to be put on a job. */
export function PoolItemsDialog({ kind, job, onClose }: PoolItemsDialogProps): ReactNode {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const [working, setWorking] = useState(false);
  const asked = useDebounced(search.trim(), 500);
  const { data, error } = useQuery({
    queryKey: [...attachmentKey(kind, job.id), "pool", asked, page],
    queryFn: () =>
      request<Page<Attachment>>(`/${kind}/pool`, {
        query: { search: asked, page: page + 1, per_page: ROWS },
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const columns = ATTACHMENT_COLUMNS[kind];
  const rows = data?.data ?? [];
  const toggle = (id: number): void => {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setMarked(next);
  };
  const fetchBack = async (): Promise<void> => {
    setWorking(true);
    try {
      await attachmentsFromPool(kind, job, [...marked]);
      onClose();
    } catch {
      setWorking(false);
    }
  };
  return (
    <Modal
      title={kind === "units" ? texts.attachments.unitsInPool : texts.attachments.returnsInPool}
      width={640}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            variant="contained"
            disabled={marked.size === 0}
            loading={working}
            onClick={() => void fetchBack()}
          >
            {fill(texts.attachments.addToJob, { n: marked.size, uid: job.uid })}
          </Button>
        </>
      }
    >
      <TextField
        placeholder={texts.attachments.search}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setPage(0);
        }}
        sx={{ maxWidth: 260, mb: 1 }}
        slotProps={{ htmlInput: { "aria-label": texts.attachments.search } }}
      />
      {data === undefined && error === null && <LinearProgress aria-label={texts.common.loading} />}
      {error !== null && <Alert severity="error">{messageOfError(error)}</Alert>}
      {data !== undefined && rows.length === 0 && (
        <Typography color="textSecondary">{texts.attachments.none}</Typography>
      )}
      {rows.length > 0 && (
        <Box sx={{ overflowX: "auto" }}>
          <Table>
            <TableHead>
              <TableRow>
                <TableCell padding="checkbox" />
                <TableCell>{texts.jobs.fields.uid}</TableCell>
                {columns.map(({ name, label }) => (
                  <TableCell key={name}>{label}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((item) => (
                <TableRow key={item.id} hover>
                  <TableCell padding="checkbox">
                    <Checkbox
                      checked={marked.has(item.id)}
                      onChange={() => toggle(item.id)}
                      slotProps={{ input: { "aria-label": item.uid } }}
                    />
                  </TableCell>
                  <TableCell>{item.uid}</TableCell>
                  {columns.map(({ name }) => (
                    <TableCell key={name}>{item[name]}</TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
      {(data?.total_count ?? 0) > ROWS && (
        <TablePagination
          component="div"
          count={data?.total_count ?? 0}
          page={page}
          rowsPerPage={ROWS}
          rowsPerPageOptions={[ROWS]}
          onPageChange={(_, next) => setPage(next)}
        />
      )}
    </Modal>
  );
}
