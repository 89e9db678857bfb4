import { Box, Button, Link, Typography } from "@mui/material";
import { texts, toastSuccess } from "@routewright/web";
import { QRCodeSVG } from "qrcode.react";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { Modal } from "../ui/Modal.tsx";
import { download } from "./send.ts";

/** Link that opens a run sheet on the driver's phone. */
export function runSheetUrl(token: string): string {
  return `${window.location.origin}/runsheet?runsheet=true&token=${encodeURIComponent(token)}`;
}

interface RunSheetDialogProps {
  runId: number;
  onClose: () => void;
}

/** QR code and link of a run sheet. */
export function RunSheetDialog({ runId, onClose }: RunSheetDialogProps): ReactNode {
  const { plan } = usePlanContext();
  const run = plan.runs.find(({ id }) => id === runId);
  // Without the key it is a run of which this user may not act as the driver.
  if (run === undefined || run.token === null) return null;
  const url = runSheetUrl(run.token);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(url);
    toastSuccess(texts.common.copied, { duration: 2_000 });
  };
  return (
    <Modal
      title={`${texts.dispatch.sheetTitle} – ${run.uid}`}
      width={440}
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void copy()}>{texts.common.copyLink}</Button>
          <Button
            onClick={() =>
              void download(
                `/runs/${run.id}/runsheet_pdf`,
                `runsheet-${run.uid}.pdf`,
                texts.dispatch.downloadingPdf,
              )
            }
          >
            {texts.dispatch.downloadSheet}
          </Button>
          <Button variant="contained" onClick={onClose}>
            {texts.common.close}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", justifyItems: "center", gap: 2 }}>
        <Typography color="textSecondary">{texts.dispatch.sheetHelp}</Typography>
        <Box sx={{ p: 2, bgcolor: "#fff", borderRadius: 1 }}>
          <QRCodeSVG value={url} size={220} level="M" title={run.uid} />
        </Box>
        <Link href={url} target="_blank" rel="noopener noreferrer" sx={{ overflowWrap: "anywhere" }}>
          {url}
        </Link>
      </Box>
    </Modal>
  );
}
