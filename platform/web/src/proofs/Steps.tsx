import { Step, StepLabel, Stepper, Typography } from "@mui/material";
import type { ReactNode } from "react";
import type { Proof } from "../model/index.ts";
import { texts } from "../texts/index.ts";
import { momentText, recordTimeMoment } from "../units/time.ts";
import { latestByStage } from "./proof-rules.ts";

export interface TimelineStep {
  label: string;
  /** ISO 8601 UTC; a step is done when it has a moment. */
  moment: string | null;
}

/** A timeline: done steps show when they were done. */
export function Steps({
  steps,
  zone,
}: {
  steps: readonly TimelineStep[];
  zone: string | null | undefined;
}): ReactNode {
  return (
    <Stepper alternativeLabel activeStep={-1} sx={{ overflowX: "auto", py: 1 }}>
      {steps.map(({ label, moment }) => (
        <Step key={label} completed={moment !== null}>
          <StepLabel>
            {label}
            {moment !== null && (
              <Typography variant="caption" component="div" color="textSecondary">
                {momentText(moment, zone)}
              </Typography>
            )}
          </StepLabel>
        </Step>
      ))}
    </Stepper>
  );
}

const momentOfProof = (proof: Proof | undefined): string | null =>
  proof === undefined ? null : recordTimeMoment(proof.record_time);

export function unitSteps(created: string | null, proofs: readonly Proof[]): TimelineStep[] {
  const { latest } = latestByStage(proofs);
  return [
    { label: texts.proofs.steps.created, moment: created },
    { label: texts.proofs.steps.loaded, moment: momentOfProof(latest.load) },
    { label: texts.proofs.steps.unloaded, moment: momentOfProof(latest.deliver) },
    { label: texts.proofs.steps.pickup, moment: momentOfProof(latest.pickup) },
    { label: texts.proofs.steps.atDepot, moment: momentOfProof(latest.at_depot) },
  ];
}

export function returnSteps(created: string | null, proofs: readonly Proof[]): TimelineStep[] {
  const { latest } = latestByStage(proofs);
  return [
    { label: texts.proofs.steps.created, moment: created },
    { label: texts.proofs.steps.pickup, moment: momentOfProof(latest.pickup) },
    { label: texts.proofs.steps.atDepot, moment: momentOfProof(latest.at_depot) },
  ];
}
