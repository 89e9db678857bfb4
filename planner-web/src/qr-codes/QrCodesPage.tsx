import { Alert, Box, Button, LinearProgress, Paper, Typography } from "@mui/material";
import {
  apiUrl,
  fill,
  messageOfError,
  type QrCodes,
  scenarioDateText,
  send,
  shortTime,
  texts,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { QRCodeSVG } from "qrcode.react";
import type { ReactNode } from "react";
import { useParams } from "react-router";

/** One card with a QR code per run, made to be printed. */
export function QrCodesPage(): ReactNode {
  const { token = "" } = useParams();
  const { data, error } = useQuery({
    queryKey: ["qr-codes", token],
    queryFn: async () =>
      (await (await send(`/scenarios/token/${encodeURIComponent(token)}/qr_codes`)).json()) as QrCodes,
  });
  if (error !== null) return <Alert severity="error">{messageOfError(error)}</Alert>;
  if (data === undefined) return <LinearProgress aria-label={texts.common.loading} />;
  return (
    <Box component="main" sx={{ p: 3, display: "grid", gap: 2 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 2 }}>
        {data.organisation.logo !== null && (
          <Box
            component="img"
            src={apiUrl(data.organisation.logo)}
            alt={data.organisation.name}
            sx={{ height: 40 }}
          />
        )}
        <Box sx={{ flex: 1 }}>
          <Typography component="h1" variant="h5">
            {data.scenario.name}
          </Typography>
          <Typography color="textSecondary">
            {data.organisation.name} · {scenarioDateText(data.scenario.scheduled_date)}
          </Typography>
        </Box>
        <Button
          variant="contained"
          onClick={() => window.print()}
          sx={{ "@media print": { display: "none" } }}
        >
          {texts.common.print}
        </Button>
      </Box>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(auto-fill, minmax(230px, 1fr))" }}>
        {data.runs.map((run) => (
          <Paper
            key={run.run_id}
            variant="outlined"
            sx={{ p: 2, display: "grid", justifyItems: "center", gap: 1, breakInside: "avoid" }}
          >
            <Box sx={{ p: 1, bgcolor: "#fff" }}>
              <QRCodeSVG value={run.url} size={180} level="M" title={run.uid} />
            </Box>
            <Typography variant="h6">{run.driver_uid}</Typography>
            <Typography variant="body2" color="textSecondary">
              {[
                `${shortTime(run.shift_start)} - ${shortTime(run.shift_end)}`,
                run.vehicle,
                fill(texts.runs.jobsCount, { n: run.jobs_count }),
              ]
                .filter((part) => part !== null)
                .join(" · ")}
            </Typography>
          </Paper>
        ))}
      </Box>
    </Box>
  );
}
