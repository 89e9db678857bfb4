import AddIcon from "@mui/icons-material/Add";
import {
  Box,
  Button,
  Step,
  StepButton,
  Stepper,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from "@mui/material";
import { fill, type Job, texts, useModule, useWidth } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { useLeave } from "../ui/unsaved.tsx";
import { AttachmentList } from "./AttachmentList.tsx";
import { DeleteJob } from "./JobDialog.tsx";
import { JobForm } from "./JobForm.tsx";
import { JobTable } from "./JobTable.tsx";

type Part = "form" | "list";

/**
 * The job panel: create or edit on top, the list of jobs below; each scrolls by itself where there is room. On phones one
 * of them is shown at a time.
 */
export function JobPanel({ pool }: { pool: boolean }): ReactNode {
  const { scenarioId } = usePlanContext();
  const target = pool ? null : scenarioId;
  const [job, setJob] = useState<Job | null>(null);
  const [step, setStep] = useState(0);
  // A new key gives the form its first values again.
  const [round, setRound] = useState(0);
  const phone = useWidth() === "mobile";
  const [part, setPart] = useState<Part>("form");
  const leave = useLeave();
  const units = useModule("units");
  const returns = useModule("returns");
  const steps = [
    texts.jobs.stepJob,
    ...(units ? [texts.jobs.stepUnits] : []),
    ...(returns ? [texts.jobs.stepReturns] : []),
  ];
  const current = steps[step] ?? texts.jobs.stepJob;
  const show = (next: Job | null): void => {
    setJob(next);
    setStep(0);
    setRound(round + 1);
  };
  const choose = (next: Job | null): void =>
    leave(() => {
      show(next);
      setPart("form");
    });
  // The job's own form is only hidden beside the other steps; those are left.
  const go = (next: number): void => (step === 0 ? setStep(next) : leave(() => setStep(next)));
  return (
    <Box
      sx={{
        display: "flex",
        flexDirection: "column",
        gap: 2,
        height: { md: "100%" },
        "@media (max-height: 560px)": { height: "auto" },
      }}
    >
      {phone && <PartChoice part={part} onChange={setPart} />}
      {/* What is not shown is only hidden: typing, search and page stay. */}
      <Box
        sx={{
          display: phone && part !== "form" ? "none" : "block",
          flex: { md: "1.2 1 0" },
          minHeight: { md: 200 },
          overflow: { md: "auto" },
          pt: 0.5,
          pb: 2,
        }}
      >
        <Box sx={{ display: "flex", alignItems: "center", gap: 2, mb: 1.5, flexWrap: "wrap" }}>
          <Typography variant="h6">
            {job === null ? texts.jobs.createTitle : fill(texts.jobs.editTitle, { uid: job.uid })}
          </Typography>
          {steps.length > 1 && (
            <Stepper nonLinear activeStep={step} sx={{ flex: 1, minWidth: 260, maxWidth: 520 }}>
              {steps.map((label, index) => (
                <Step key={label} disabled={index > 0 && job === null}>
                  <StepButton onClick={() => go(index)}>{label}</StepButton>
                </Step>
              ))}
            </Stepper>
          )}
          <Button startIcon={<AddIcon />} onClick={() => choose(null)} sx={{ ml: "auto" }}>
            {texts.jobs.newJob}
          </Button>
        </Box>
        {/* Only hidden beside the other steps: what was typed and not yet saved stays. */}
        <Box hidden={current !== texts.jobs.stepJob}>
          <JobForm
            key={`${job?.id ?? "new"}-${round}`}
            job={job}
            scenarioId={target}
            onSaved={(saved) => {
              if (job !== null) setPart("list");
              if (job === null && steps.length > 1) setJob(saved);
              else show(null);
            }}
            extraActions={
              job !== null && (
                <DeleteJob
                  job={job}
                  onDeleted={() => {
                    show(null);
                    setPart("list");
                  }}
                />
              )
            }
          />
        </Box>
        {current === texts.jobs.stepUnits && job !== null && (
          <AttachmentList kind="units" job={job} editable />
        )}
        {current === texts.jobs.stepReturns && job !== null && (
          <AttachmentList kind="returns" job={job} editable />
        )}
        {steps.length > 1 && (
          <Box sx={{ display: "flex", gap: 1, mt: 1 }}>
            {step > 0 && <Button onClick={() => go(step - 1)}>{texts.common.back}</Button>}
            {step < steps.length - 1 && (
              <Button disabled={job === null} onClick={() => go(step + 1)}>
                {texts.common.next}
              </Button>
            )}
          </Box>
        )}
      </Box>
      <Box
        sx={{
          display: phone && part !== "list" ? "none" : "block",
          flex: { md: pool ? "1.4 1 0" : "1 1 0" },
          minHeight: { md: 200 },
          minWidth: 0,
        }}
      >
        <JobTable scenarioId={target} onEdit={choose} selectedId={job?.id ?? null} />
      </Box>
    </Box>
  );
}

/** Which part of the panel a phone shows; it stays in sight. */
function PartChoice({ part, onChange }: { part: Part; onChange: (part: Part) => void }): ReactNode {
  return (
    <ToggleButtonGroup
      exclusive
      fullWidth
      value={part}
      onChange={(_, value: Part | null) => onChange(value ?? part)}
      sx={{ position: "sticky", top: -16, zIndex: 5, bgcolor: "background.paper" }}
    >
      <ToggleButton value="form" sx={{ textTransform: "none" }}>
        {texts.jobs.partForm}
      </ToggleButton>
      <ToggleButton value="list" sx={{ textTransform: "none" }}>
        {texts.jobs.partList}
      </ToggleButton>
    </ToggleButtonGroup>
  );
}
