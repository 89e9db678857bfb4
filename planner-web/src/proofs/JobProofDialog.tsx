import { Box, Button, LinearProgress, Typography } from "@mui/material";
import {
  type JobDetail,
  type ProofCollections,
  recordTimeMoment,
  request,
  requestBlob,
  saveFile,
  texts,
  toastError,
  useLevel,
} from "@routewright/web";
import {
  countStage,
  itemProofs,
  latestJobProof,
  ProofCard,
  Section,
  STAGES,
  Steps,
} from "@routewright/web/proofs";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { useReasons } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { useView } from "../ui/view.ts";
import { AttachmentProofs } from "./AttachmentProofs.tsx";
import { STAGE_COLOURS, StatBox } from "./ProofSummary.tsx";

interface JobProofDialogProps {
  jobId: number;
  onClose: () => void;
}

/** Proof Information of a job: timeline, attachments, its proof and those of what it carries. */
export function JobProofDialog({ jobId, onClose }: JobProofDialogProps): ReactNode {
  const { data: job } = useQuery({
    queryKey: [...keys.job(jobId), "all"],
    queryFn: () => request<JobDetail>(`/jobs/${jobId}/all`),
  });
  const { data: proofs } = useQuery({
    queryKey: keys.jobProofs(jobId),
    queryFn: () => request<ProofCollections>(`/jobs/${jobId}/proofs`),
    staleTime: 0,
  });
  const downloads = useLevel("pod_pdf_export");
  return (
    <Modal
      title={job === undefined ? texts.proofs.title : `${texts.proofs.title} – ${job.uid}`}
      width="55%"
      onClose={onClose}
      actions={
        <>
          {proofs?.check_link && (
            <Button href={proofs.check_link} target="_blank" rel="noreferrer">
              {texts.proofs.checkSeal}
            </Button>
          )}
          {downloads && (
            <Button onClick={() => void downloadPod(jobId, job?.uid)}>{texts.proofs.downloadPod}</Button>
          )}
          <Button onClick={onClose}>{texts.common.close}</Button>
        </>
      }
    >
      {(job === undefined || proofs === undefined) && <LinearProgress aria-label={texts.common.loading} />}
      {job !== undefined && proofs !== undefined && <Sections job={job} proofs={proofs} />}
    </Modal>
  );
}

async function downloadPod(jobId: number, uid: string | undefined): Promise<void> {
  try {
    saveFile(await requestBlob(`/pod_pdfs/jobs/${jobId}`, { quiet: true }), `pod-${uid ?? jobId}.pdf`);
  } catch {
    toastError(texts.proofs.noPdf);
  }
}

function Sections({ job, proofs }: { job: JobDetail; proofs: ProofCollections }): ReactNode {
  const { data: reasonList = [] } = useReasons();
  const { plan } = usePlanContext();
  const view = useView();
  const reasons = new Map(reasonList.map((reason) => [reason.id, reason]));
  const run = plan.runs.find(({ id }) => id === job.run_id);
  const latest = latestJobProof(proofs.job_proofs);
  const older = proofs.job_proofs.filter((proof) => proof.id !== latest?.id);
  const items = itemProofs(job.units, job.returns, proofs.unit_proofs, proofs.return_proofs);
  return (
    <>
      <Section title={texts.proofs.timeline}>
        <Steps
          zone={job.timezone}
          steps={[
            { label: texts.proofs.steps.created, moment: job.created },
            { label: texts.proofs.steps.planned, moment: job.eta },
            { label: texts.proofs.steps.started, moment: run?.actual_start_time ?? null },
            {
              label: texts.proofs.steps.delivery,
              moment: latest === undefined ? null : recordTimeMoment(latest.record_time),
            },
          ]}
        />
      </Section>
      <Section title={texts.proofs.attachments}>
        <Box sx={{ display: "flex", gap: 1.5, flexWrap: "wrap" }}>
          {STAGES.map((stage) => {
            const { done, total, exceptions } = countStage(stage, items, reasons);
            return (
              <StatBox
                key={stage}
                label={texts.proofs.modes[stage]}
                text={`${done}/${total}`}
                colour={STAGE_COLOURS[stage]}
                badge={exceptions}
              />
            );
          })}
        </Box>
      </Section>
      <Section title={texts.proofs.jobProof}>
        {latest === undefined ? (
          <Typography color="textSecondary">{texts.proofs.none}</Typography>
        ) : (
          <ProofCard proof={latest} reasons={reasons} zone={job.timezone} />
        )}
        {older.length > 0 && (
          <Section title={texts.proofs.older} closed>
            {older.map((proof) => (
              <ProofCard key={proof.id} proof={proof} reasons={reasons} zone={job.timezone} />
            ))}
          </Section>
        )}
      </Section>
      <Section title={texts.proofs.attachmentProof}>
        <AttachmentProofs job={job} proofs={proofs} reasons={reasons} view={view} />
      </Section>
    </>
  );
}
