import { Button, FormControlLabel, Radio, RadioGroup, Typography } from "@mui/material";
import { fill, type Job, request, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { selectJob } from "../plan/selection.ts";
import { usePlanWork } from "../plan/use-plan-work.ts";
import { Modal } from "../ui/Modal.tsx";

interface MergeDialogProps {
  jobIds: number[];
  onClose: () => void;
}

/** Merges jobs of one place into one of them. */
export function MergeDialog({ jobIds, onClose }: MergeDialogProps): ReactNode {
  const { plan } = usePlanContext();
  const { working, run } = usePlanWork();
  const jobs = plan.jobs.filter((job) => jobIds.includes(job.id));
  const [destination, setDestination] = useState(jobs[0]?.id ?? 0);
  const merge = (): Promise<void> => {
    const body = {
      destination_id: destination,
      source_ids: jobIds.filter((id) => id !== destination),
      is_pool: false,
    };
    return run(request<Job>("/jobs/merge", { method: "PUT", body, quiet: true }), {
      loading: texts.jobs.merging,
      success: texts.jobs.merged,
      failure: texts.jobs.mergeFailed,
      done: () => {
        selectJob(destination);
        onClose();
      },
    });
  };
  return (
    <Modal
      title={fill(texts.jobs.mergeTitle, { n: jobs.length })}
      width={480}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={working} onClick={() => void merge()}>
            {texts.jobs.merge}
          </Button>
        </>
      }
    >
      <Typography sx={{ mb: 1 }}>{texts.jobs.mergeText}</Typography>
      <RadioGroup value={destination} onChange={(_, value) => setDestination(Number(value))}>
        {jobs.map((job) => (
          <FormControlLabel
            key={job.id}
            value={job.id}
            control={<Radio size="small" />}
            label={`${job.uid} · ${job.customer_name ?? ""} · ${job.location.address}`}
          />
        ))}
      </RadioGroup>
    </Modal>
  );
}
