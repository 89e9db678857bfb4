import HelpIcon from "@mui/icons-material/HelpOutlined";
import {
  Alert,
  AlertTitle,
  Box,
  Button,
  IconButton,
  Popover,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import {
  type Run,
  type Scenario,
  texts,
  toastError,
  useLevel,
  useModule,
  useSession,
} from "@routewright/web";
import { type ReactNode, useMemo, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { stopsByRun, unservedOf } from "../plan/plan.ts";
import { useSmsEnabled } from "../plan/queries.ts";
import { useProblems } from "../plan/use-problems.ts";
import { Modal } from "../ui/Modal.tsx";
import { stackedOnPhones } from "../ui/stacked.ts";
import { type DispatchDraft, draftOf, isComplete } from "./dispatch-draft.ts";
import { DispatchRow } from "./DispatchRow.tsx";
import { blockedOf } from "./preflight.ts";
import { PreflightDialog } from "./PreflightDialog.tsx";
import { bunzlExport, download, sendPartnerFile, sendRunSheets } from "./send.ts";

/** Ten columns in the width of a laptop. */
const CLOSE = { "& td, & th": { px: 0.75 } };

/** Sends run sheets to drivers: one row per run. */
export function DispatchDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { plan, scenario } = usePlanContext();
  const method = useSession((state) => state.user?.organisation.settings.dispatch_method);
  const sms = useSmsEnabled();
  const [changes, setChanges] = useState<Record<number, Partial<DispatchDraft>>>({});
  const [sending, setSending] = useState(false);
  const drafts = plan.runs.map((run) => ({ ...draftOf(run, method), ...changes[run.id] }));
  const smsOff = !sms && drafts.some((draft) => draft.method === "sms");

  const problems = useProblems();
  const stops = useMemo(() => stopsByRun(plan.jobs), [plan.jobs]);
  const [asked, setAsked] = useState<readonly DispatchDraft[] | null>(null);
  const blocked = blockedOf(asked ?? [], problems);

  const dispatch = async (chosen: readonly DispatchDraft[], reason: string | null): Promise<void> => {
    if (scenario === null) return;
    setAsked(null);
    setSending(true);
    const broken = blockedOf(chosen, problems);
    const reasons = Object.fromEntries(broken.map(({ runId }) => [runId, reason ?? ""]));
    await sendRunSheets(chosen, plan.runs, scenario.id, reasons);
    setSending(false);
  };
  const send = async (chosen: readonly DispatchDraft[]): Promise<void> => {
    if (!chosen.every(isComplete)) {
      toastError(texts.dispatch.incomplete);
      return;
    }
    if (blockedOf(chosen, problems).length > 0) setAsked(chosen);
    else await dispatch(chosen, null);
  };

  return (
    <Modal
      title={texts.dispatch.title}
      head={<Help />}
      width={1700}
      sticky
      onClose={onClose}
      actions={
        scenario !== null && (
          <Footer
            scenario={scenario}
            runs={plan.runs}
            sending={sending}
            onSendAll={() => void send(drafts)}
          />
        )
      }
    >
      {smsOff && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          <AlertTitle>{texts.dispatch.smsOffTitle}</AlertTitle>
          {texts.dispatch.smsOffText}
        </Alert>
      )}
      <TableContainer>
        <Table aria-label={texts.dispatch.title} sx={[CLOSE, stackedOnPhones]}>
          <TableHead>
            <TableRow>
              <TableCell>{texts.dispatch.driver}</TableCell>
              <TableCell>{texts.dispatch.shift}</TableCell>
              <TableCell>{texts.dispatch.check}</TableCell>
              <TableCell>{texts.dispatch.driverUser}</TableCell>
              <TableCell>{texts.dispatch.vehicle}</TableCell>
              <TableCell>{texts.dispatch.method}</TableCell>
              <TableCell>{texts.dispatch.email}</TableCell>
              <TableCell>{texts.dispatch.phone}</TableCell>
              <TableCell />
            </TableRow>
          </TableHead>
          <TableBody>
            {plan.runs.map((run, index) => {
              const draft = drafts[index];
              if (draft === undefined) return null;
              return (
                <DispatchRow
                  key={run.id}
                  run={run}
                  stops={stops.get(run.id) ?? []}
                  draft={draft}
                  sms={sms}
                  sending={sending}
                  onChange={(part) => setChanges({ ...changes, [run.id]: { ...changes[run.id], ...part } })}
                  onSend={() => void send([draft])}
                />
              );
            })}
          </TableBody>
        </Table>
      </TableContainer>
      {asked !== null && blocked.length > 0 && (
        <PreflightDialog
          blocked={blocked}
          unserved={unservedOf(plan.jobs).length}
          onSend={(reason) => void dispatch(asked, reason)}
          onClose={() => setAsked(null)}
        />
      )}
    </Modal>
  );
}

function Help(): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <IconButton aria-label={texts.dispatch.helpTitle} onClick={(event) => setAnchor(event.currentTarget)}>
        <HelpIcon fontSize="small" />
      </IconButton>
      <Popover open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <Box sx={{ p: 2, maxWidth: 360, display: "grid", gap: 1 }}>
          {texts.dispatch.help.map((line) => (
            <Typography key={line} variant="body2">
              {line}
            </Typography>
          ))}
        </Box>
      </Popover>
    </>
  );
}

interface FooterProps {
  scenario: Scenario;
  runs: readonly Run[];
  sending: boolean;
  onSendAll: () => void;
}

function Footer({ scenario, runs, sending, onSendAll }: FooterProps): ReactNode {
  const excel = useLevel("excel_export");
  const distributor = useModule("all_purpose_transport_bunzl");
  const partner = useModule("all_purpose_transport");
  const { id, name, scheduled_date: date } = scenario;
  const csv = `all_purpose_transport_${name}_${date.replaceAll("-", "")}.csv`;
  const sheets = `/scenarios/${id}`;
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", width: "100%" }}>
      {excel && (
        <Button
          onClick={() =>
            void download(`${sheets}/runsheets_excel`, `scenario-${id}.xlsx`, texts.dispatch.downloadingExcel)
          }
        >
          {texts.dispatch.excel}
        </Button>
      )}
      <Button
        onClick={() =>
          void download(`${sheets}/runsheets_pdf`, `scenario-${id}.pdf`, texts.dispatch.downloadingPdf)
        }
      >
        {texts.dispatch.pdf}
      </Button>
      {scenario.ws_token !== null && (
        <Button
          component="a"
          href={`/qr-codes/${scenario.ws_token}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {texts.dispatch.qrCodes}
        </Button>
      )}
      {distributor && <Button onClick={() => void bunzlExport(runs)}>{texts.dispatch.bunzl}</Button>}
      {partner && (
        <>
          <Button
            onClick={() =>
              void download(`${sheets}/all_purpose_transport_download`, csv, texts.dispatch.downloadingCsv)
            }
          >
            {texts.dispatch.downloadCsv}
          </Button>
          <Button onClick={() => void sendPartnerFile(id)}>{texts.dispatch.sendCsv}</Button>
        </>
      )}
      <Button variant="contained" loading={sending} onClick={onSendAll} sx={{ ml: "auto" }}>
        {texts.dispatch.dispatchAll}
      </Button>
    </Box>
  );
}
