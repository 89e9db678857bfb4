import {
  Alert,
  Box,
  Button,
  Card,
  CardContent,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  TextField,
} from "@mui/material";
import {
  ApiError,
  dayjs,
  fill,
  messageOfError,
  requestBlob,
  saveFile,
  texts,
  withToast,
} from "@routewright/web";
import { useState } from "react";
import { Title } from "react-admin";
import { useTimezone } from "../data/organisation.ts";

type Report = "internal" | "client";

/** Key figures of the scenarios between two days, as Excel. */
export function KpiExport() {
  const [report, setReport] = useState<Report>();
  return (
    <Card variant="outlined" sx={{ mt: 2, maxWidth: 720 }}>
      <Title title={texts.admin.exports.kpiTitle} />
      <CardContent sx={{ display: "flex", gap: 2, flexWrap: "wrap" }}>
        {(["internal", "client"] as const).map((name) => (
          <Button key={name} variant="outlined" onClick={() => setReport(name)}>
            {texts.admin.exports[name]}
          </Button>
        ))}
      </CardContent>
      {report && <DateRange report={report} onClose={() => setReport(undefined)} />}
    </Card>
  );
}

/** Between which days; yesterday to today at first. */
function DateRange({ report, onClose }: { report: Report; onClose: () => void }) {
  const timezone = useTimezone();
  const today = dayjs().tz(timezone);
  const [start, setStart] = useState(today.subtract(1, "day").format("YYYY-MM-DD"));
  const [end, setEnd] = useState(today.format("YYYY-MM-DD"));
  const [busy, setBusy] = useState(false);
  // A day that was emptied is before every other one.
  const problem = start === "" || start >= end ? texts.admin.exports.startBeforeEnd : undefined;

  async function run(): Promise<void> {
    setBusy(true);
    const work = requestBlob(`/gefco/excel-kpi-${report}-report`, {
      query: { start_date: start, end_date: end },
      quiet: true,
    }).then((bytes) => saveFile(bytes, `kpi_${report}_${start}_${end}.xlsx`));
    await withToast(work, {
      loading: fill(texts.admin.exports.kpiExporting, { type: report }),
      success: texts.admin.shared.exportingFinished,
      failure: (error) =>
        error instanceof ApiError && error.status === 400
          ? texts.admin.exports.kpiNothing
          : messageOfError(error),
    }).then(onClose, () => setBusy(false));
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby="kpi-range">
      <DialogTitle id="kpi-range">{texts.admin.exports.kpiRange}</DialogTitle>
      <DialogContent>
        <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", pt: 1 }}>
          <Day label={texts.admin.exports.startDate} value={start} set={setStart} />
          <Day label={texts.admin.exports.endDate} value={end} set={setEnd} />
        </Box>
        {problem && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button
          variant="contained"
          loading={busy}
          disabled={problem !== undefined}
          onClick={() => void run()}
        >
          {texts.admin.exports.export}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Day({ label, value, set }: { label: string; value: string; set: (day: string) => void }) {
  return (
    <TextField
      type="date"
      label={label}
      value={value}
      onChange={(event) => set(event.target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
      sx={{ width: 170 }}
    />
  );
}
