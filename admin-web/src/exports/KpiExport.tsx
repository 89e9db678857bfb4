import {
  Box,
  Button,
  Card,
  CardContent,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
} from "@mui/material";
import {
  DayField,
  dayjs,
  fill,
  messageOfError,
  parseDay,
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
  const { dayNeeded, endAfterStart, startBeforeEnd } = texts.admin.exports;
  const lacks = (day: string) => (parseDay(day) === null ? dayNeeded : undefined);
  // One day is a range too.
  const wrong = start > end && !lacks(start) && !lacks(end);
  const problems = {
    start: lacks(start) ?? (wrong ? startBeforeEnd : undefined),
    end: lacks(end) ?? (wrong ? endAfterStart : undefined),
  };

  async function run(): Promise<void> {
    setBusy(true);
    const work = requestBlob(`/gefco/excel-kpi-${report}-report`, {
      query: { start_date: start, end_date: end },
      quiet: true,
    }).then((bytes) => saveFile(bytes, `kpi_${report}_${start}_${end}.xlsx`));
    await withToast(work, {
      loading: fill(texts.admin.exports.kpiExporting, { type: report }),
      success: texts.admin.shared.exportingFinished,
      failure: messageOfError,
    }).then(onClose, () => setBusy(false));
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby="kpi-range">
      <DialogTitle id="kpi-range">{texts.admin.exports.kpiRange}</DialogTitle>
      <DialogContent>
        <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", pt: 1 }}>
          {(["start", "end"] as const).map((which) => (
            <DayField
              key={which}
              label={which === "start" ? texts.admin.exports.startDate : texts.admin.exports.endDate}
              value={which === "start" ? start : end}
              onChange={which === "start" ? setStart : setEnd}
              error={problems[which] !== undefined}
              helperText={problems[which] ?? " "}
              sx={{ flex: "1 1 200px" }}
            />
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button
          variant="contained"
          loading={busy}
          disabled={problems.start !== undefined || problems.end !== undefined}
          onClick={() => void run()}
        >
          {texts.admin.exports.export}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
