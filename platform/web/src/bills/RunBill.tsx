import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from "@mui/material";
import { type ReactNode, useEffect, useState } from "react";
import { useLevel } from "../access/access.ts";
import { messageOfError } from "../api/error.ts";
import { request } from "../api/request.ts";
import { toastSuccess } from "../feedback/toasts.ts";
import { useSession } from "../session/store.ts";
import { fill, texts } from "../texts/index.ts";
import { momentText } from "../units/time.ts";
import { amountText, type Billing, partsOf, valueText } from "./billing.ts";

export interface RunBillProps {
  runId: number;
  /** Read again when it changes: the run as the page knows it. */
  version: string;
  /** After something was decided about the bill. */
  onChanged: () => void;
}

type Deed = "accept" | "dismiss" | "reopen";

/** What a run is charged: the bill of a validated run with what differs from it by now, else how it stands. */
export function RunBill({ runId, version, onChanged }: RunBillProps): ReactNode {
  const [billing, setBilling] = useState<Billing>();
  const [failure, setFailure] = useState<string>();
  const [deed, setDeed] = useState<Deed>();
  const validates = useLevel("runs_write");
  useEffect(() => {
    let current = true;
    request<Billing>(`/runs/${runId}/bill`, { quiet: true }).then(
      (found) => {
        if (current) setBilling(found);
      },
      (error: unknown) => {
        if (current) setFailure(messageOfError(error));
      },
    );
    return () => {
      current = false;
    };
  }, [runId, version]);
  if (billing === undefined) return failure === undefined ? null : <Alert severity="error">{failure}</Alert>;
  const differs = billing.differences.length > 0;
  return (
    <Box
      component="section"
      aria-label={texts.bills.title}
      sx={{
        display: "grid",
        gridTemplateColumns: "minmax(0, 1fr)",
        gap: 2,
        width: "100%",
        // A phone has room for four columns of figures only without the margins of a desk.
        "& .MuiTableCell-root": { px: { xs: 0.5, sm: 2 } },
      }}
    >
      <Parts billing={billing} />
      {differs && <Differences billing={billing} />}
      {validates && billing.bill !== null && (
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
          {differs && (
            <>
              <Button variant="contained" onClick={() => setDeed("accept")}>
                {texts.bills.accept}
              </Button>
              {billing.dismissed === null && (
                <Button variant="outlined" onClick={() => setDeed("dismiss")}>
                  {texts.bills.dismiss}
                </Button>
              )}
            </>
          )}
          <Button variant="outlined" onClick={() => setDeed("reopen")}>
            {texts.bills.reopen}
          </Button>
        </Box>
      )}
      {deed !== undefined && (
        <Decide
          deed={deed}
          billing={billing}
          onClose={() => setDeed(undefined)}
          onDone={(after) => {
            setDeed(undefined);
            if (after !== null) setBilling(after);
            onChanged();
          }}
        />
      )}
    </Box>
  );
}

function Parts({ billing }: { billing: Billing }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const { bill } = billing;
  const charge = bill ?? billing.now;
  const currency = charge.currency ?? billing.currency;
  const { kinds, rateSources } = texts.bills;
  return (
    <div>
      <Typography variant="subtitle2" component="h3">
        {texts.bills.title}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {bill === null
          ? texts.bills.notBilled
          : fill(texts.bills.version, {
              n: bill.version,
              how: (kinds as Record<string, string | undefined>)[bill.kind] ?? bill.kind,
              at: momentText(bill.made_at, zone),
            })}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {charge.rate === null
          ? texts.bills.noRate
          : `${texts.bills.rateName}: ${charge.rate}${
              charge.rate_source === null
                ? ""
                : ` (${(rateSources as Record<string, string | undefined>)[charge.rate_source] ?? ""})`
            }`}
      </Typography>
      <TableContainer>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{texts.bills.part}</TableCell>
              <TableCell align="right">{texts.bills.quantity}</TableCell>
              <TableCell align="right">{texts.bills.rate}</TableCell>
              <TableCell align="right">{texts.bills.amount}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {partsOf(charge, unit).map((part) => (
              <TableRow key={part.name}>
                <TableCell component="th" scope="row">
                  {part.name}
                </TableCell>
                <TableCell align="right">{part.quantity}</TableCell>
                <TableCell align="right">{part.rate}</TableCell>
                <TableCell align="right">{part.amount}</TableCell>
              </TableRow>
            ))}
            <TableRow sx={{ "& > *": { fontWeight: 600 } }}>
              <TableCell component="th" scope="row" colSpan={3}>
                {texts.bills.total}
              </TableCell>
              <TableCell align="right" sx={{ whiteSpace: "nowrap" }}>
                {charge.total === null ? "–" : `${amountText(charge.total)} ${currency}`}
              </TableCell>
            </TableRow>
          </TableBody>
        </Table>
      </TableContainer>
      <Typography variant="body2" color="textSecondary">
        {fill(texts.bills.drops, { n: charge.drops, total: charge.stops })}
      </Typography>
    </div>
  );
}

function Differences({ billing }: { billing: Billing }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  const { dismissed } = billing;
  return (
    <Alert
      severity={dismissed === null ? "warning" : "info"}
      sx={{ "& .MuiAlert-message": { flex: 1, minWidth: 0 } }}
    >
      {dismissed === null
        ? texts.bills.differs
        : fill(texts.bills.dismissed, { at: momentText(dismissed.at, zone), reason: dismissed.reason })}
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{texts.bills.what}</TableCell>
            <TableCell align="right">{texts.bills.billed}</TableCell>
            <TableCell align="right">{texts.bills.now}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {billing.differences.map(({ field, billed, now }) => (
            <TableRow key={field}>
              <TableCell component="th" scope="row">
                {(texts.bills.fields as Record<string, string | undefined>)[field] ?? field}
              </TableCell>
              <TableCell align="right">{valueText(field, billed)}</TableCell>
              <TableCell align="right">{valueText(field, now)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Alert>
  );
}

interface DecideProps {
  deed: Deed;
  billing: Billing;
  onClose: () => void;
  /** With the bill as it is then, unless the run is open again. */
  onDone: (after: Billing | null) => void;
}

/** Asks for the reason, and does it. */
function Decide({ deed, billing, onClose, onDone }: DecideProps): ReactNode {
  const [reason, setReason] = useState("");
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { run_id: run, bill, key } = billing;
  const { acceptTitle, dismissTitle, reopenTitle, reopenText, accepted, dismissedNow, reopened } =
    texts.bills;
  const title = { accept: acceptTitle, dismiss: dismissTitle, reopen: reopenTitle }[deed];
  const done = { accept: accepted, dismiss: dismissedNow, reopen: reopened }[deed];

  const decide = async (): Promise<void> => {
    setBusy(true);
    const path = deed === "reopen" ? `/runs/${run}/reopen` : `/runs/${run}/bill/${deed}`;
    const body = deed === "reopen" ? { reason } : { reason, key, version: bill?.version };
    try {
      const after = await request<Billing>(path, { method: "POST", body, quiet: true });
      toastSuccess(done);
      onDone(deed === "reopen" ? null : after);
    } catch (error) {
      setFailure(messageOfError(error));
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby="bill-decision" fullWidth maxWidth="xs">
      <DialogTitle id="bill-decision">{title}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        {deed === "reopen" && <DialogContentText>{reopenText}</DialogContentText>}
        {failure !== undefined && <Alert severity="error">{failure}</Alert>}
        <TextField
          autoFocus
          required
          multiline
          margin="dense"
          label={texts.bills.reason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 500 } }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button
          variant="contained"
          loading={busy}
          disabled={reason.trim() === ""}
          onClick={() => void decide()}
        >
          {texts.bills[deed]}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
