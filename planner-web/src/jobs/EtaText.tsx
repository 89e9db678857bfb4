import SignatureIcon from "@mui/icons-material/DrawOutlined";
import { Box, Typography } from "@mui/material";
import { clockText, type Job } from "@routewright/web";
import type { ReactNode } from "react";
import type { Problem } from "../plan/problems.ts";
import { useView } from "../ui/view.ts";

/**
 * When the job is served: the proof's time with a signature icon once there is one, else the updated ETA, red
 * when later than planned and green when not, else the planned ETA; red whenever it lies behind the window. The customer view shows no ETA and no
 * colour.
 */
export function EtaText({ job, problems }: { job: Job; problems: readonly Problem[] }): ReactNode {
  const customer = useView() === "customer";
  const missed = problems.some(({ kind }) => kind === "late");
  if (job.proof_time !== null) {
    return (
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.25 }}>
        <SignatureIcon
          sx={{ fontSize: 14 }}
          color={customer ? "inherit" : job.successful ? "success" : "error"}
        />
        <Time text={clockText(job.proof_time, job.timezone)} />
      </Box>
    );
  }
  if (customer) return null;
  if (job.updated_eta !== null && job.eta !== null) {
    const late = missed || Date.parse(job.updated_eta) > Date.parse(job.eta);
    return <Time text={clockText(job.updated_eta, job.timezone)} colour={late ? "error" : "success"} />;
  }
  if (job.eta === null) return null;
  return <Time text={clockText(job.eta, job.timezone)} {...(missed ? { colour: "error" } : {})} />;
}

function Time({ text, colour = "textPrimary" }: { text: string; colour?: string }): ReactNode {
  return (
    <Typography variant="body2" color={colour} sx={{ fontVariantNumeric: "tabular-nums" }}>
      {text}
    </Typography>
  );
}
