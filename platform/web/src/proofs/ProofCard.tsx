import OkIcon from "@mui/icons-material/CheckCircleOutlined";
import FailedIcon from "@mui/icons-material/ErrorOutlined";
import { Box, Paper, Typography } from "@mui/material";
import type { ReactNode } from "react";
import { type Fact, Facts } from "../layout/Facts.tsx";
import type { Proof, Reason } from "../model/index.ts";
import { texts } from "../texts/index.ts";
import { sizeWords } from "../units/size.ts";
import { momentText, recordTimeMoment } from "../units/time.ts";
import { isOk, stageOf } from "./proof-rules.ts";
import { Photos } from "./Photos.tsx";

interface ProofCardProps {
  proof: Proof;
  reasons: ReadonlyMap<number, Reason>;
  zone: string | null | undefined;
}

type Beside = Pick<Proof, "delivered_size" | "distance" | "device" | "pin_ok" | "age_check" | "missing">;

/** What is known beside what was recorded, where it is; of items nothing is. */
function known(proof: Partial<Beside>): Fact[] {
  const { delivered_size: delivered = null, distance = null, device = null } = proof;
  const { pin_ok: pin = null, age_check: age = null, missing = null } = proof;
  const facts: Fact[] = [];
  if (delivered !== null) facts.push([texts.proofs.deliveredSize, sizeWords(delivered)]);
  if (distance !== null) facts.push([texts.proofs.distance, distanceText(distance)]);
  if (device !== null) facts.push([texts.proofs.device, device]);
  if (pin !== null) facts.push([texts.proofs.pin, pin ? texts.proofs.pinRight : texts.proofs.pinWrong]);
  if (age !== null) facts.push([texts.proofs.ageCheck, age ? texts.common.yes : texts.common.no]);
  if (missing !== null) {
    const parts = missing.map((part) => texts.proofs.parts[part] ?? part).join(", ");
    facts.push([texts.proofs.missing, <strong key="missing">{parts}</strong>]);
  }
  return facts;
}

function distanceText(metres: number): string {
  return metres < 1000 ? `${metres} m` : `${(metres / 1000).toFixed(1)} km`;
}

/** One proof with everything that was recorded. */
export function ProofCard({ proof, reasons, zone }: ProofCardProps): ReactNode {
  const good = proof.success && isOk(proof, reasons);
  const reason =
    proof.reason_id === null ? null : (reasons.get(proof.reason_id)?.name ?? `#${proof.reason_id}`);
  const stage = stageOf(proof.mode);
  return (
    <Paper variant="outlined" sx={{ p: 1.5, display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
        {good ? <OkIcon color="success" fontSize="small" /> : <FailedIcon color="error" fontSize="small" />}
        <Typography variant="subtitle2">
          {stage === null ? "" : `${texts.proofs.modes[stage]} · `}
          {proof.success ? texts.proofs.successful : texts.proofs.unsuccessful}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ ml: "auto" }}>
          {momentText(recordTimeMoment(proof.record_time), zone)}
        </Typography>
      </Box>
      <Facts
        facts={[
          [texts.proofs.reason, reason],
          [texts.proofs.signedBy, proof.signature_name],
          [texts.proofs.comments, proof.comments],
          [
            texts.proofs.position,
            proof.lat === null || proof.lon === null
              ? null
              : `${proof.lat.toFixed(5)}, ${proof.lon.toFixed(5)}`,
          ],
          ...known(proof),
        ]}
      />
      <Photos photos={proof.photos} signature={proof.signature} />
    </Paper>
  );
}
