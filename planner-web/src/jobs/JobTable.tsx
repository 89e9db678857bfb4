import EditIcon from "@mui/icons-material/EditOutlined";
import InfoIcon from "@mui/icons-material/InfoOutlined";
import InputIcon from "@mui/icons-material/LoginOutlined";
import SearchIcon from "@mui/icons-material/Search";
import {
  Box,
  Button,
  Checkbox,
  IconButton,
  InputAdornment,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TablePagination,
  TableRow,
  TextField,
  Tooltip,
  Typography,
} from "@mui/material";
import { fill, type Job, type JobStats, type Page, request, texts } from "@routewright/web";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { ButtonsHead } from "../ui/ButtonsHead.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { ColumnMenu } from "./ColumnMenu.tsx";
import { useShownColumns } from "./columns.ts";
import { MoveFromPoolDialog } from "./MoveFromPoolDialog.tsx";
import { moveFromPool } from "./pool.ts";

const PAGE_SIZES = [10, 25, 50, 100, 150, 200, 250, 300];

interface JobTableProps {
  /** `null`: the pool. */
  scenarioId: number | null;
  selectedId: number | null;
  onEdit: (job: Job) => void;
}

/** Stays in view while the columns are scrolled. */
const BUTTONS_CELL = {
  position: "sticky",
  right: 0,
  boxShadow: "-1px 0 0 var(--mui-palette-divider)",
  whiteSpace: "nowrap",
};

/** Paged list of jobs with the columns that the user keeps; jobs of the pool can be marked. */
export function JobTable({ scenarioId, selectedId, onEdit }: JobTableProps): ReactNode {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const [perPage, setPerPage] = useState(25);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const [moving, setMoving] = useState(false);
  const inPool = scenarioId === null;
  const asked = useDebounced(search, 800);
  const columns = useShownColumns();
  const { data } = useQuery({
    queryKey: [...keys.jobPages, scenarioId, asked, page, perPage],
    queryFn: () =>
      request<Page<Job>>(scenarioId === null ? "/jobs/pool" : "/jobs", {
        query: {
          search: asked,
          page: page + 1,
          per_page: perPage,
          ...(scenarioId === null ? {} : { scenario_ids: [scenarioId] }),
        },
      }),
    placeholderData: keepPreviousData,
  });
  const { data: stats } = useQuery({
    queryKey: [...keys.jobPages, "stats", scenarioId],
    queryFn: () =>
      request<JobStats>("/jobs/stats", {
        query: scenarioId === null ? { pool: true } : { scenario_ids: [scenarioId] },
        quiet: true,
      }),
  });
  const jobs = data?.data ?? [];
  const allMarked = jobs.length > 0 && jobs.every(({ id }) => marked.has(id));
  const mark = (ids: readonly number[], on: boolean): void => {
    const next = new Set(marked);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setMarked(next);
  };
  return (
    <Box
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 1,
        minWidth: 0,
        height: "100%",
        display: "flex",
        flexDirection: "column",
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", flexWrap: "wrap", gap: 1.5, p: 1.5 }}>
        <Typography variant="subtitle1">
          {scenarioId === null ? texts.jobs.poolTitle : texts.jobs.title}
        </Typography>
        {stats !== undefined && (
          <Typography variant="body2" color="textSecondary">
            {fill(texts.jobs.visitedCount, { n: stats.visited })} ·{" "}
            {fill(texts.jobs.successfulCount, { n: stats.successful })} ·{" "}
            {fill(texts.jobs.unsuccessfulCount, { n: stats.unsuccessful })}
          </Typography>
        )}
        <TextField
          placeholder={texts.jobs.search}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(0);
          }}
          sx={{ maxWidth: 320, ml: "auto" }}
          slotProps={{
            htmlInput: { "aria-label": texts.jobs.search },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <SearchIcon fontSize="small" />
                </InputAdornment>
              ),
            },
          }}
        />
        {inPool && (
          <>
            <Button variant="contained" disabled={marked.size === 0} onClick={() => setMoving(true)}>
              {fill(texts.jobs.moveMarked, { n: marked.size })}
            </Button>
            <Button onClick={() => openDialog({ kind: "job", jobId: null, pool: true })}>
              {fill(texts.jobs.toPool, { title: texts.jobs.addDialog })}
            </Button>
          </>
        )}
        <ColumnMenu />
      </Box>
      <TableContainer sx={{ flex: "1 1 auto", minHeight: 120 }}>
        <Table stickyHeader aria-label={texts.jobs.title}>
          <TableHead>
            <TableRow>
              {inPool && (
                <TableCell padding="checkbox">
                  <Checkbox
                    checked={allMarked}
                    indeterminate={!allMarked && marked.size > 0}
                    slotProps={{ input: { "aria-label": texts.drivers.selectAll } }}
                    onChange={(_, on) =>
                      mark(
                        jobs.map(({ id }) => id),
                        on,
                      )
                    }
                  />
                </TableCell>
              )}
              {columns.map(({ name, width }) => (
                <TableCell key={name} sx={{ minWidth: width }}>
                  {texts.jobs.fields[name]}
                </TableCell>
              ))}
              <ButtonsHead sx={{ ...BUTTONS_CELL, minWidth: 90, zIndex: 3 }} />
            </TableRow>
          </TableHead>
          <TableBody>
            {jobs.map((job) => (
              <TableRow key={job.id} hover selected={job.id === selectedId}>
                {inPool && (
                  <TableCell padding="checkbox">
                    <Checkbox
                      checked={marked.has(job.id)}
                      slotProps={{ input: { "aria-label": job.uid } }}
                      onChange={(_, on) => mark([job.id], on)}
                    />
                  </TableCell>
                )}
                {columns.map(({ name, text }) => (
                  <TableCell key={name}>{text(job)}</TableCell>
                ))}
                <TableCell sx={{ ...BUTTONS_CELL, bgcolor: "background.paper" }}>
                  <RowActions job={job} inPool={inPool} onEdit={() => onEdit(job)} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {data !== undefined && jobs.length === 0 && (
        <Typography color="textSecondary" sx={{ p: 2 }}>
          {asked === ""
            ? scenarioId === null
              ? texts.jobs.emptyPool
              : texts.jobs.empty
            : texts.jobs.nothingFound}
        </Typography>
      )}
      <TablePagination
        component="div"
        count={data?.total_count ?? 0}
        page={page}
        rowsPerPage={perPage}
        rowsPerPageOptions={PAGE_SIZES}
        labelRowsPerPage={texts.common.rowsPerPage}
        onPageChange={(_, next) => setPage(next)}
        onRowsPerPageChange={(event) => {
          setPerPage(Number(event.target.value));
          setPage(0);
        }}
      />
      {moving && (
        <MoveFromPoolDialog
          jobIds={[...marked]}
          onClose={() => setMoving(false)}
          onMoved={() => {
            setMoving(false);
            setMarked(new Set());
          }}
        />
      )}
    </Box>
  );
}

function RowActions({ job, inPool, onEdit }: { job: Job; inPool: boolean; onEdit: () => void }): ReactNode {
  const { scenarioId } = usePlanContext();
  return (
    <>
      <Tooltip title={texts.jobs.details}>
        <IconButton
          aria-label={`${texts.jobs.details} ${job.uid}`}
          onClick={() => openDialog({ kind: "job-details", jobId: job.id })}
        >
          <InfoIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Tooltip title={texts.jobs.edit}>
        <IconButton aria-label={`${texts.jobs.edit} ${job.uid}`} onClick={onEdit}>
          <EditIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      {inPool && scenarioId !== null && (
        <Tooltip title={texts.jobs.addToScenario}>
          <IconButton
            aria-label={`${texts.jobs.addToScenario} ${job.uid}`}
            onClick={() => void moveFromPool(job, scenarioId)}
          >
            <InputIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
    </>
  );
}
