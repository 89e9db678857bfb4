import CallIcon from "@mui/icons-material/CallOutlined";
import DoneIcon from "@mui/icons-material/CheckCircle";
import FailedIcon from "@mui/icons-material/Cancel";
import NavigateIcon from "@mui/icons-material/NavigationOutlined";
import PriorityIcon from "@mui/icons-material/PriorityHigh";
import { Box, Button, Card, Chip, Typography } from "@mui/material";
import { clockText, type RunsheetJob, shortTime, texts } from "@routewright/web";
import type { ReactNode } from "react";

interface JobCardProps {
  job: RunsheetJob;
  zone: string;
  /** What became of it; `null` while it is open. */
  result: "done" | "failed" | null;
  next: boolean;
  showPhone: boolean;
  /** `null`: no proof can be recorded now. */
  onProof: (() => void) | null;
}

const COLOURS = { done: "success", failed: "error", next: "primary", open: "default" } as const;

/** One stop of the run sheet. */
export function JobCard({ job, zone, result, next, showPhone, onProof }: JobCardProps): ReactNode {
  const done = result !== null;
  const window = [shortTime(job.arrive_after), shortTime(job.leave_by)];
  const eta = job.updated_eta ?? job.eta;
  const { lat, lon } = job.location;
  return (
    <Card
      variant="outlined"
      sx={{
        p: 2,
        display: "grid",
        gap: 1,
        opacity: done ? 0.75 : 1,
        borderColor: next ? "primary.main" : "divider",
        borderWidth: next ? 2 : 1,
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
        <Chip label={job.seq} color={COLOURS[result ?? (next ? "next" : "open")]} />
        <Typography variant="subtitle1" sx={{ flex: 1, minWidth: 0 }}>
          {job.customer_name ?? job.uid}
        </Typography>
        {job.priority && (
          <PriorityIcon color="warning" fontSize="small" titleAccess={texts.jobs.fields.priority} />
        )}
        {result === "done" && <DoneIcon color="success" titleAccess={texts.runsheet.delivered} />}
        {result === "failed" && <FailedIcon color="error" titleAccess={texts.runsheet.notDelivered} />}
        {!done && eta !== null && (
          <Typography sx={{ fontVariantNumeric: "tabular-nums", fontWeight: 650 }}>
            {clockText(eta, zone)}
          </Typography>
        )}
      </Box>
      <Typography>{job.location.address}</Typography>
      <Typography variant="body2" color="textSecondary">
        {[
          job.uid,
          window.some((time) => time !== "")
            ? `${texts.runsheet.window} ${window[0] || "…"}–${window[1] || "…"}`
            : null,
          job.size,
          job.dock_location,
          job.units.length > 0 ? `${job.units.length} ${texts.runsheet.units}` : null,
        ]
          .filter((part) => part !== null)
          .join(" · ")}
      </Typography>
      {job.comments !== null && (
        <Typography sx={{ whiteSpace: "pre-wrap", bgcolor: "action.hover", borderRadius: 1, p: 1 }}>
          {job.comments}
        </Typography>
      )}
      {!done && (
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
          <Button
            size="medium"
            variant="outlined"
            startIcon={<NavigateIcon />}
            href={`geo:${lat},${lon}?q=${lat},${lon}`}
          >
            {texts.runsheet.navigate}
          </Button>
          {showPhone && job.phone_number !== null && (
            <Button
              size="medium"
              variant="outlined"
              startIcon={<CallIcon />}
              href={`tel:${job.phone_number}`}
            >
              {texts.runsheet.call}
            </Button>
          )}
          {onProof !== null && (
            <Button
              size="medium"
              variant={next ? "contained" : "outlined"}
              sx={{ ml: "auto" }}
              onClick={onProof}
            >
              {texts.runsheet.recordProof}
            </Button>
          )}
        </Box>
      )}
    </Card>
  );
}
