import { Button } from "@mui/material";
import { useListContext, useRecordContext } from "react-admin";
import { useMay } from "../data/organisation.ts";
import { TagJobs } from "./TagJobs.tsx";
import { download } from "../data/files.ts";

const NO_PROOF = {
  loading: "Downloading...",
  success: "File downloaded.",
  failure: "Selected job does not have any proof or error occurred",
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
      Download PoD
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
              texts: { ...NO_PROOF, failure: "Selected jobs does not have any proof or error occurred" },
            })
          }
        >
          Download PoDs
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
          Excel
        </Button>
      )}
    </>
  );
}
