import {
  Alert,
  Box,
  Button,
  Chip,
  LinearProgress,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TablePagination,
  TableRow,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from "@mui/material";
import { messageOfError, type Page, request, scenarioDateText, texts } from "@routewright/web";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { openDialog } from "../plan/dialogs.ts";
import { Modal } from "../ui/Modal.tsx";
import { stackedOnPhones } from "../ui/stacked.ts";
import { useDebounced } from "../ui/use-debounced.ts";

/** A job with its latest proof, as the search answers it. */
interface FoundProof {
  job_id: number;
  uid: string;
  customer_name: string | null;
  address: string;
  scenario: { name: string; scheduled_date: string } | null;
  run_uid: string | null;
  proof_time: string;
  success: boolean;
  reason: string | null;
}

type Result = "all" | "true" | "false";
const ROWS = 25;

/** Finds proofs of delivery of any day. */
export function SearchProofsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [search, setSearch] = useState("");
  const [success, setSuccess] = useState<Result>("all");
  const [page, setPage] = useState(0);
  const asked = useDebounced(search.trim(), 800);
  const query = {
    search: asked === "" ? undefined : asked,
    success: success === "all" ? undefined : success,
    page: page + 1,
    per_page: ROWS,
  };
  const { data, error, isPending, isFetching } = useQuery({
    queryKey: ["search-proofs", query],
    queryFn: () => request<Page<FoundProof>>("/jobs/search_pod", { query, quiet: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <Modal title={texts.proofs.searchTitle} width={1000} onClose={onClose} height="80vh">
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", mb: 1 }}>
        <TextField
          autoFocus
          placeholder={texts.proofs.search}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(0);
          }}
          sx={{ flex: "1 1 220px" }}
          slotProps={{ htmlInput: { "aria-label": texts.proofs.search } }}
        />
        <ToggleButtonGroup
          exclusive
          size="small"
          value={success}
          aria-label={texts.proofs.result}
          onChange={(_, value: Result | null) => {
            setSuccess(value ?? "all");
            setPage(0);
          }}
        >
          <ToggleButton value="all">{texts.common.all}</ToggleButton>
          <ToggleButton value="true">{texts.runsheet.delivered}</ToggleButton>
          <ToggleButton value="false">{texts.runsheet.notDelivered}</ToggleButton>
        </ToggleButtonGroup>
      </Box>
      <Box sx={{ height: 4 }}>{isFetching && <LinearProgress aria-label={texts.common.loading} />}</Box>
      {error !== null && <Alert severity="error">{messageOfError(error)}</Alert>}
      {!isPending && data?.data.length === 0 && (
        <Typography color="textSecondary" sx={{ py: 2 }}>
          {texts.proofs.noneFound}
        </Typography>
      )}
      {data !== undefined && data.data.length > 0 && (
        <>
          <Table aria-label={texts.proofs.searchTitle} sx={stackedOnPhones}>
            <TableHead>
              <TableRow>
                <TableCell>{texts.jobs.fields.uid}</TableCell>
                <TableCell>{texts.jobs.fields.customer_name}</TableCell>
                <TableCell>{texts.scenarios.scenario}</TableCell>
                <TableCell>{texts.jobs.fields.run}</TableCell>
                <TableCell>{texts.proofs.result}</TableCell>
                <TableCell />
              </TableRow>
            </TableHead>
            <TableBody>
              {data.data.map((found) => (
                <Row key={found.job_id} found={found} />
              ))}
            </TableBody>
          </Table>
          <TablePagination
            component="div"
            count={data.total_count}
            page={page}
            rowsPerPage={ROWS}
            rowsPerPageOptions={[ROWS]}
            onPageChange={(_, next) => setPage(next)}
          />
        </>
      )}
    </Modal>
  );
}

function Row({ found }: { found: FoundProof }): ReactNode {
  const { scenario } = found;
  return (
    <TableRow hover>
      <TableCell data-label={texts.jobs.fields.uid}>{found.uid}</TableCell>
      <TableCell data-label={texts.jobs.fields.customer_name}>
        {found.customer_name ?? "–"}
        <Typography variant="caption" color="textSecondary" component="div">
          {found.address}
        </Typography>
      </TableCell>
      <TableCell data-label={texts.scenarios.scenario}>
        {scenario === null ? "–" : `${scenario.name} · ${scenarioDateText(scenario.scheduled_date)}`}
      </TableCell>
      <TableCell data-label={texts.jobs.fields.run}>{found.run_uid ?? "–"}</TableCell>
      <TableCell data-label={texts.proofs.result}>
        <Chip
          color={found.success ? "success" : "error"}
          label={found.success ? texts.runsheet.delivered : (found.reason ?? texts.runsheet.notDelivered)}
        />
      </TableCell>
      <TableCell align="right">
        <Button onClick={() => openDialog({ kind: "job-proof", jobId: found.job_id })}>
          {texts.proofs.show}
        </Button>
      </TableCell>
    </TableRow>
  );
}
