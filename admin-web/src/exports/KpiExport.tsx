import { Alert, Box, Button, Card, CardContent, MenuItem, TextField } from "@mui/material";
import { ApiError, messageOfError, requestBlob, saveFile, withToast } from "@routewright/web";
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
  const problem = start > end ? "Start date must be before end date" : undefined;

  async function run(): Promise<void> {
    setBusy(true);
    const work = requestBlob(`/gefco/excel-kpi-${type}-report`, {
      query: { start_date: start, end_date: end },
      quiet: true,
    }).then((bytes) => saveFile(bytes, `kpi_${type}_${start}_${end}.xlsx`));
    await withToast(work, {
      loading: `Exporting ${type} KPI...`,
      success: "Exporting finished!",
      failure: (error) =>
        error instanceof ApiError && error.status === 400
          ? "No relevant scenarios found during these dates"
          : messageOfError(error),
    }).catch(() => undefined);
    setBusy(false);
  }
  return (
    <Card variant="outlined" sx={{ mt: 2, maxWidth: 720 }}>
      <Title title="KPI data export" />
      <CardContent>
        <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", alignItems: "center" }}>
          <TextField
            select
            label="Report"
            value={type}
            onChange={(event) => setType(event.target.value)}
            sx={{ width: 160 }}
          >
            <MenuItem value="internal">Internal</MenuItem>
            <MenuItem value="client">Client</MenuItem>
          </TextField>
          <Day label="Start date" value={start} set={setStart} />
          <Day label="End date" value={end} set={setEnd} />
          <Button
            variant="contained"
            loading={busy}
            disabled={problem !== undefined}
            onClick={() => void run()}
          >
            Export
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
