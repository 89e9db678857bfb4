import AddIcon from "@mui/icons-material/Add";
import { Box, Button, Step, StepButton, Stepper, Typography } from "@mui/material";
import { fill, type Job, texts, useModule } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { Modal } from "../shell/Modal.tsx";
import { AttachmentList } from "./AttachmentList.tsx";
import { DeleteJob } from "./JobDialog.tsx";
import { JobForm } from "./JobForm.tsx";
import { JobTable } from "./JobTable.tsx";

interface JobPanelDialogProps {
  jobId: number | null;
  pool?: boolean;
  onClose: () => void;
}

/** Bulk Create Jobs: the job panel, create or edit on top, the list of jobs below. */
export function JobPanelDialog({ pool = false, onClose }: JobPanelDialogProps): ReactNode {
  const { scenarioId } = usePlanContext();
  const target = pool ? null : scenarioId;
  const [job, setJob] = useState<Job | null>(null);
  const [step, setStep] = useState(0);
  // A new key gives the form its first values again.
  const [round, setRound] = useState(0);
  const units = useModule("units");
  const returns = useModule("returns");
  const steps = [
    texts.jobs.stepJob,
    ...(units ? [texts.jobs.stepUnits] : []),
    ...(returns ? [texts.jobs.stepReturns] : []),
  ];
  const current = steps[step] ?? texts.jobs.stepJob;
  const choose = (next: Job | null): void => {
    setJob(next);
    setStep(0);
    setRound(round + 1);
  };
  return (
    <Modal
      title={pool ? `${texts.jobs.bulkCreate} – ${texts.jobs.poolTitle}` : texts.jobs.bulkCreate}
      width="85%"
      height="92vh"
      sticky
      onClose={onClose}
    >
      <Box sx={{ display: "grid", gap: 3 }}>
        <Box>
          <Box sx={{ display: "flex", alignItems: "center", gap: 2, mb: 2, flexWrap: "wrap" }}>
            <Typography variant="h6">
              {job === null ? texts.jobs.createTitle : fill(texts.jobs.editTitle, { uid: job.uid })}
            </Typography>
            {steps.length > 1 && (
              <Stepper nonLinear activeStep={step} sx={{ flex: 1, minWidth: 260, maxWidth: 520 }}>
                {steps.map((label, index) => (
                  <Step key={label} disabled={index > 0 && job === null}>
                    <StepButton onClick={() => setStep(index)}>{label}</StepButton>
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
              onSaved={(saved) => (job === null && steps.length > 1 ? setJob(saved) : choose(null))}
              extraActions={job !== null && <DeleteJob job={job} onDeleted={() => choose(null)} />}
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
              {step > 0 && <Button onClick={() => setStep(step - 1)}>{texts.common.back}</Button>}
              {step < steps.length - 1 && (
                <Button disabled={job === null} onClick={() => setStep(step + 1)}>
                  {texts.common.next}
                </Button>
              )}
            </Box>
          )}
        </Box>
        <JobTable scenarioId={target} onEdit={choose} selectedId={job?.id ?? null} />
      </Box>
    </Modal>
  );
}
