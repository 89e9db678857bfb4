import CopyIcon from "@mui/icons-material/LinkOutlined";
import {
  Alert,
  Box,
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
  Typography,
} from "@mui/material";
import { areEmails, fill, type Job, saveFile, texts, toastSuccess } from "@routewright/web";
import { type ReactNode, useMemo, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { ButtonsHead } from "../ui/ButtonsHead.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { Modal } from "../ui/Modal.tsx";
import { stackedOnPhones } from "../ui/stacked.ts";
import { trackingCsv, trackingRows, trackingUrl } from "./links.ts";
import { sendLinks } from "./send-links.ts";

/** Sends tracking links to customers. Everything is a local copy until a send is confirmed. */
export function TrackingLinksDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { plan } = usePlanContext();
  const [emails, setEmails] = useState<Record<number, string>>({});
  const [search, setSearch] = useState("");
  const [asking, setAsking] = useState<Asked | null>(null);
  /** Addresses that were written to, by job. */
  const [sent, setSent] = useState<Record<number, string>>({});
  const asked = search.trim().toLowerCase();
  // The page of a job that nobody brings has nothing to tell.
  const planned = useMemo(() => plan.jobs.filter(({ run_id: run }) => run !== null), [plan.jobs]);
  const jobs = useMemo(
    () =>
      planned.filter(({ uid, customer_name: name }) => `${uid} ${name ?? ""}`.toLowerCase().includes(asked)),
    [planned, asked],
  );
  const emailOf = (job: Job): string => emails[job.id] ?? job.customer_email ?? "";
  const reachable = (job: Job): boolean => emailOf(job).trim() !== "" && areEmails(emailOf(job));
  const sendable = jobs.filter(reachable);
  const typed = plan.jobs.some(
    ({ id, customer_email: own }) => emails[id] !== undefined && emails[id] !== (sent[id] ?? own ?? ""),
  );
  return (
    <Modal
      title={texts.tracking.sendTitle}
      width={1200}
      unsaved={typed}
      onClose={onClose}
      head={<ExportMenu jobs={planned} />}
      actions={
        <>
          <Typography variant="body2" color="textSecondary" sx={{ mr: 1 }}>
            {fill(texts.tracking.shown, { n: jobs.length, total: planned.length })}
          </Typography>
          <Button
            variant="contained"
            disabled={sendable.length === 0}
            onClick={() => setAsking({ jobs: sendable, without: jobs.filter((job) => !reachable(job)) })}
          >
            {texts.tracking.sendAll}
          </Button>
        </>
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
              <ButtonsHead />
            </TableRow>
          </TableHead>
          <TableBody>
            {jobs.map((job) => (
              <LinkRow
                key={job.id}
                job={job}
                email={emailOf(job)}
                onChange={(email) => setEmails({ ...emails, [job.id]: email })}
                onSend={() => setAsking({ jobs: [job], without: [] })}
              />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {asking !== null && (
        <ConfirmDialog
          title={texts.tracking.sendTitle}
          text={fill(texts.tracking.sendQuestion, { n: asking.jobs.length })}
          width={560}
          onClose={() => setAsking(null)}
          choices={[
            {
              label: texts.tracking.send,
              act: () => {
                setAsking(null);
                void sendLinks(asking.jobs, emailOf).then((delivered) =>
                  setSent({ ...sent, ...Object.fromEntries(delivered.map((job) => [job.id, emailOf(job)])) }),
                );
              },
            },
          ]}
        >
          <Recipients {...asking} emailOf={emailOf} />
        </ConfirmDialog>
      )}
    </Modal>
  );
}

interface Asked {
  jobs: readonly Job[];
  /** Shown, but without an address that can be written to. */
  without: readonly Job[];
}

/** Whom the links go to, and for which jobs nobody hears. */
function Recipients({ jobs, emailOf, without }: Asked & { emailOf: (job: Job) => string }): ReactNode {
  return (
    <>
      <Box tabIndex={0} sx={{ maxHeight: 260, overflow: "auto", mt: 1 }}>
        <Table aria-label={texts.tracking.recipients}>
          <TableBody>
            {jobs.map((job) => (
              <TableRow key={job.id}>
                <TableCell>{job.uid}</TableCell>
                <TableCell>{job.customer_name}</TableCell>
                <TableCell sx={{ overflowWrap: "anywhere" }}>{emailOf(job)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      {without.length > 0 && (
        <Alert severity="warning" sx={{ mt: 1.5 }}>
          {fill(texts.tracking.withoutEmail, { uids: without.map(({ uid }) => uid).join(", ") })}
        </Alert>
      )}
    </>
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
