import { texts } from "@routewright/web";
import { Button } from "@mui/material";
import { useListContext, useRecordContext } from "react-admin";
import { useMay } from "../../data/organisation.ts";
import { TagJobs } from "./TagJobs.tsx";
import { download } from "../../data/files.ts";

const NO_PROOF = {
  loading: texts.admin.shared.downloading,
  success: texts.admin.shared.fileDownloaded,
  failure: texts.admin.jobs.noProof,
};

/** Proof of delivery of the job as PDF. */
export function DownloadPod() {
  const job = useRecordContext<{ id: number; uid: string }>();
  const may = useMay("pod_pdf_export");
  if (!job || !may) return null;
  return (
    <Button
      onClick={() => void download(`/pod_pdfs/jobs/${job.id}`, `pod-${job.uid}.pdf`, { texts: NO_PROOF })}
    >
      {texts.admin.shared.downloadPoD}
    </Button>
  );
}

/** Proofs and Excel sheet of the chosen jobs. */
export function JobBulkActions() {
  const { selectedIds } = useListContext<{ id: number }>();
  const pods = useMay("pod_pdf_export");
  const excel = useMay("excel_export");
  return (
    <>
      <TagJobs />
      {pods && (
        <Button
          onClick={() =>
            void download("/pod_pdfs/jobs", "pods.zip", {
              query: { job_ids: selectedIds },
              texts: { ...NO_PROOF, failure: texts.admin.shared.noProofs },
            })
          }
        >
          {texts.admin.jobs.downloadPoDs}
        </Button>
      )}
      {excel && (
        <Button
          onClick={() =>
            void download("/jobs/excel_export", "jobs.xlsx", {
              method: "POST",
              body: { job_ids: selectedIds },
            })
          }
        >
          {texts.admin.shared.excel}
        </Button>
      )}
    </>
  );
}
