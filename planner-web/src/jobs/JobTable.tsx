import EditIcon from "@mui/icons-material/EditOutlined";
import InfoIcon from "@mui/icons-material/InfoOutlined";
import InputIcon from "@mui/icons-material/LoginOutlined";
import SearchIcon from "@mui/icons-material/Search";
import {
  Box,
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
import { useDebounced } from "../shell/use-debounced.ts";
import { ColumnMenu } from "./ColumnMenu.tsx";
import { useShownColumns } from "./columns.ts";
import { moveFromPool } from "./pool.ts";

const PAGE_SIZES = [10, 25, 50, 100, 150, 200, 250, 300];

interface JobTableProps {
  /** `null`: the pool. */
  scenarioId: number | null;
  selectedId: number | null;
  onEdit: (job: Job) => void;
}

/** Paged list of jobs with the columns that the user keeps. */
export function JobTable({ scenarioId, selectedId, onEdit }: JobTableProps): ReactNode {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const [perPage, setPerPage] = useState(25);
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
  return (
    <Box sx={{ border: 1, borderColor: "divider", borderRadius: 1, minWidth: 0 }}>
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
        <ColumnMenu />
      </Box>
      <TableContainer sx={{ maxHeight: 420 }}>
        <Table stickyHeader aria-label={texts.jobs.title}>
          <TableHead>
            <TableRow>
              {columns.map(({ name, width }) => (
                <TableCell key={name} sx={{ minWidth: width }}>
                  {texts.jobs.fields[name]}
                </TableCell>
              ))}
              <TableCell sx={{ minWidth: 90 }} />
            </TableRow>
          </TableHead>
          <TableBody>
            {jobs.map((job) => (
              <TableRow key={job.id} hover selected={job.id === selectedId}>
                {columns.map(({ name, text }) => (
                  <TableCell key={name}>{text(job)}</TableCell>
                ))}
                <TableCell sx={{ whiteSpace: "nowrap" }}>
                  <RowActions job={job} inPool={scenarioId === null} onEdit={() => onEdit(job)} />
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
