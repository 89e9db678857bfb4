import CopyIcon from "@mui/icons-material/LinkOutlined";
import {
  Button,
  IconButton,
  Menu,
  MenuItem,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  TextField,
  Tooltip,
} from "@mui/material";
import {
  areEmails,
  fill,
  type Job,
  messageOfError,
  request,
  saveFile,
  texts,
  toastError,
  toastLoading,
  toastSuccess,
  type TrackingResult,
} from "@routewright/web";
import { type ReactNode, useMemo, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx";
import { Modal } from "../shell/Modal.tsx";
import { stackedOnPhones } from "../shell/stacked.ts";
import { trackingCsv, trackingRows, trackingUrl } from "./links.ts";

/** Sends tracking links to customers. Everything is a local copy until a send is confirmed. */
export function TrackingLinksDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { plan } = usePlanContext();
  const [emails, setEmails] = useState<Record<number, string>>({});
  const [search, setSearch] = useState("");
  const [asking, setAsking] = useState<readonly Job[] | null>(null);
  const asked = search.trim().toLowerCase();
  const jobs = useMemo(
    () =>
      plan.jobs.filter(({ uid, customer_name: name }) =>
        `${uid} ${name ?? ""}`.toLowerCase().includes(asked),
      ),
    [plan.jobs, asked],
  );
  const emailOf = (job: Job): string => emails[job.id] ?? job.customer_email ?? "";
  const sendable = plan.jobs.filter((job) => emailOf(job).trim() !== "" && areEmails(emailOf(job)));
  return (
    <Modal
      title={texts.tracking.sendTitle}
      width={1200}
      onClose={onClose}
      head={<ExportMenu jobs={plan.jobs} />}
      actions={
        <Button variant="contained" disabled={sendable.length === 0} onClick={() => setAsking(sendable)}>
          {texts.tracking.sendAll}
        </Button>
      }
    >
      <TextField
        placeholder={texts.tracking.search}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        sx={{ mb: 1.5, maxWidth: 320 }}
        slotProps={{ htmlInput: { "aria-label": texts.tracking.search } }}
      />
      <TableContainer sx={{ maxHeight: "60vh" }}>
        <Table stickyHeader sx={stackedOnPhones}>
          <TableHead>
            <TableRow>
              {[
                texts.tracking.columns.uid,
                texts.tracking.columns.customer,
                texts.tracking.columns.phone,
              ].map((label) => (
                <TableCell key={label}>{label}</TableCell>
              ))}
              <TableCell sx={{ width: 340 }}>{texts.tracking.columns.email}</TableCell>
              <TableCell />
            </TableRow>
          </TableHead>
          <TableBody>
            {jobs.map((job) => (
              <LinkRow
                key={job.id}
                job={job}
                email={emailOf(job)}
                onChange={(email) => setEmails({ ...emails, [job.id]: email })}
                onSend={() => setAsking([job])}
              />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {asking !== null && (
        <ConfirmDialog
          title={texts.tracking.sendTitle}
          text={fill(texts.tracking.sendQuestion, { n: asking.length })}
          onClose={() => setAsking(null)}
          choices={[
            {
              label: texts.tracking.send,
              act: () => {
                setAsking(null);
                void sendLinks(asking, emailOf);
              },
            },
          ]}
        />
      )}
    </Modal>
  );
}

interface LinkRowProps {
  job: Job;
  email: string;
  onChange: (email: string) => void;
  onSend: () => void;
}

function LinkRow({ job, email, onChange, onSend }: LinkRowProps): ReactNode {
  const wrong = email.trim() !== "" && !areEmails(email);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(trackingUrl(job.tracking_token));
    toastSuccess(texts.common.copied, { duration: 2_000 });
  };
  return (
    <TableRow hover>
      <TableCell data-label={texts.tracking.columns.uid}>{job.uid}</TableCell>
      <TableCell data-label={texts.tracking.columns.customer}>{job.customer_name}</TableCell>
      <TableCell data-label={texts.tracking.columns.phone}>{job.phone_number}</TableCell>
      <TableCell data-label={texts.tracking.columns.email} className="wide">
        <TextField
          value={email}
          error={wrong}
          helperText={wrong ? texts.checks.emailShort : undefined}
          onChange={(event) => onChange(event.target.value)}
          slotProps={{ htmlInput: { "aria-label": `${texts.tracking.columns.email} ${job.uid}` } }}
        />
      </TableCell>
      <TableCell align="right" sx={{ whiteSpace: "nowrap" }}>
        <Tooltip title={texts.common.copyLink}>
          <IconButton aria-label={`${texts.common.copyLink} ${job.uid}`} onClick={() => void copy()}>
            <CopyIcon fontSize="small" />
          </IconButton>
        </Tooltip>
        <Button disabled={wrong || email.trim() === ""} onClick={onSend}>
          {texts.tracking.send}
        </Button>
      </TableCell>
    </TableRow>
  );
}

/** Most items in one call. */
const BATCH = 500;

async function sendLinks(jobs: readonly Job[], emailOf: (job: Job) => string): Promise<void> {
  const id = toastLoading(texts.tracking.sending);
  try {
    const failed: TrackingResult[] = [];
    for (let start = 0; start < jobs.length; start += BATCH) {
      const results = await request<TrackingResult[]>("/jobs/send_tracking_urls", {
        method: "POST",
        body: jobs.slice(start, start + BATCH).map((job) => ({
          email: emailOf(job),
          token: job.tracking_token,
          job_id: job.id,
          dispatch_method: "email",
        })),
        quiet: true,
      });
      failed.push(...results.filter(({ success }) => !success));
    }
    if (failed.length === 0) {
      toastSuccess(texts.tracking.sent, { id });
      return;
    }
    const uids = new Map(jobs.map((job) => [job.id, job.uid]));
    const list = failed.map(
      ({ job_id: jobId, error }) => `${uids.get(jobId) ?? jobId}: ${error ?? texts.errors.unknown}`,
    );
    toastError(list.slice(0, 5).join("; "), { id });
  } catch (error) {
    toastError(messageOfError(error), { id });
  }
}

function ExportMenu({ jobs }: { jobs: readonly Job[] }): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  return (
    <>
      <Button onClick={(event) => setAnchor(event.currentTarget)}>{texts.tracking.export}</Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        <MenuItem
          onClick={() => {
            close();
            saveFile(new Blob([trackingCsv(jobs)], { type: "text/csv" }), "tracking_data.csv");
          }}
        >
          {texts.tracking.csv}
        </MenuItem>
        <MenuItem
          onClick={() => {
            close();
            void saveExcel(jobs);
          }}
        >
          {texts.tracking.excel}
        </MenuItem>
      </Menu>
    </>
  );
}

async function saveExcel(jobs: readonly Job[]): Promise<void> {
  const { default: writeExcel } = await import("write-excel-file/browser");
  const rows = trackingRows(jobs).map((row) => row.map((value) => ({ value, type: String })));
  await writeExcel(rows).toFile("tracking_data.xlsx");
}
