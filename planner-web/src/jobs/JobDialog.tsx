import { fill, type Job, texts, useLevel } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { jobs } from "../plan/queries.ts";
import { selectJob } from "../plan/selection.ts";
import { DeleteButton } from "../ui/DeleteButton.tsx";
import { Modal } from "../ui/Modal.tsx";
import { JobForm } from "./JobForm.tsx";
import { deleteJob } from "./save-job.ts";

interface JobDialogProps {
  jobId: number | null;
  pool?: boolean;
  onClose: () => void;
}

/** 'Add job' or 'Edit job', with ' to pool' for pool jobs. */
export function JobDialog({ jobId, pool = false, onClose }: JobDialogProps): ReactNode {
  const { scenarioId } = usePlanContext();
  const { data: job } = useQuery({
    queryKey: keys.job(jobId ?? 0),
    queryFn: () => jobs.get(jobId ?? 0),
    enabled: jobId !== null,
    staleTime: 0,
  });
  if (jobId !== null && job === undefined) return null;
  const inPool = job === undefined ? pool : job.scenario_id === null;
  const title = jobId === null ? texts.jobs.addDialog : texts.jobs.editDialog;
  return (
    <Modal title={inPool ? fill(texts.jobs.toPool, { title }) : title} width="95%" sticky onClose={onClose}>
      <JobForm
        job={job ?? null}
        scenarioId={inPool ? null : (job?.scenario_id ?? scenarioId)}
        onSaved={(saved) => {
          selectJob(saved.id);
          onClose();
        }}
        extraActions={job !== undefined && <DeleteJob job={job} onDeleted={onClose} />}
      />
    </Modal>
  );
}

/** Deletes a job after a question. */
export function DeleteJob({ job, onDeleted }: { job: Job; onDeleted: () => void }): ReactNode {
  const deletes = useLevel("jobs_delete");
  if (!deletes) return null;
  return (
    <DeleteButton
      text={fill(texts.jobs.deleteText, { uid: job.uid })}
      binned
      onDelete={() => void deleteJob(job).then(onDeleted, () => undefined)}
    />
  );
}
