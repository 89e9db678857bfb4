import { Alert, Box, Button, Card, CardContent, MenuItem, TextField } from "@mui/material";
import { ApiError, messageOfError, requestBlob, saveFile, withToast, texts, fill } from "@routewright/web";
import { dayjs } from "@routewright/web";
import { useState } from "react";
import { Title } from "react-admin";
import { useTimezone } from "../data/organisation.ts";

/** Key figures of the scenarios between two days, as Excel. */
export function KpiExport() {
  const timezone = useTimezone();
  const today = dayjs().tz(timezone);
  const [type, setType] = useState("internal");
  const [start, setStart] = useState(today.subtract(1, "day").format("YYYY-MM-DD"));
  const [end, setEnd] = useState(today.format("YYYY-MM-DD"));
  const [busy, setBusy] = useState(false);
  const problem = start > end ? texts.admin.exports.startBeforeEnd : undefined;

  async function run(): Promise<void> {
    setBusy(true);
    const work = requestBlob(`/gefco/excel-kpi-${type}-report`, {
      query: { start_date: start, end_date: end },
      quiet: true,
    }).then((bytes) => saveFile(bytes, `kpi_${type}_${start}_${end}.xlsx`));
    await withToast(work, {
      loading: fill(texts.admin.exports.kpiExporting, { type }),
      success: texts.admin.shared.exportingFinished,
      failure: (error) =>
        error instanceof ApiError && error.status === 400
          ? texts.admin.exports.kpiNothing
          : messageOfError(error),
    }).catch(() => undefined);
    setBusy(false);
  }
  return (
    <Card variant="outlined" sx={{ mt: 2, maxWidth: 720 }}>
      <Title title={texts.admin.exports.kpiTitle} />
      <CardContent>
        <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", alignItems: "center" }}>
          <TextField
            select
            label={texts.admin.exports.report}
            value={type}
            onChange={(event) => setType(event.target.value)}
            sx={{ width: 160 }}
          >
            <MenuItem value="internal">{texts.admin.exports.internal}</MenuItem>
            <MenuItem value="client">{texts.admin.exports.client}</MenuItem>
          </TextField>
          <Day label={texts.admin.exports.startDate} value={start} set={setStart} />
          <Day label={texts.admin.exports.endDate} value={end} set={setEnd} />
          <Button
            variant="contained"
            loading={busy}
            disabled={problem !== undefined}
            onClick={() => void run()}
          >
            {texts.admin.exports.export}
          </Button>
        </Box>
        {problem && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        )}
      </CardContent>
    </Card>
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
