import {
  request,
  requestBlob,
  saveFile,
  texts,
  toastError,
  useLevel,
  useModule,
  withToast,
} from "@routewright/web";
import { moveJobsWithReason } from "../moves/moves.ts";
import { useScenarioContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { failureText } from "../ui/failure.ts";
import { useMayEdit } from "../ui/view.ts";
import { moveToPool } from "./pool.ts";

export interface JobAction {
  label: string;
  act: (ids: number[]) => void;
}

/** What the user may do with marked jobs, in lists and context menus alike. */
export function useJobActions(): (count: number) => JobAction[] {
  const { scenarioId } = useScenarioContext();
  const edits = useMayEdit();
  const writes = useLevel("jobs_write") && edits && scenarioId !== null;
  const deletes = useLevel("jobs_delete");
  const moves = useLevel("runs_write") && edits && scenarioId !== null;
  const excel = useLevel("excel_export");
  const pods = useLevel("pod_pdf_export");
  const links = useModule("gefco") && moves;
  return (count) => {
    const id = scenarioId ?? 0;
    const actions: (JobAction & { shown: boolean })[] = [
      {
        label: texts.runs.moveTo,
        act: (jobIds) => openDialog({ kind: "move", jobIds }),
        shown: moves,
      },
      {
        label: texts.runs.toUnservedAction,
        act: (jobIds) => moveJobsWithReason(id, { run_id: null, job_ids: jobIds, seq: null, pool: false }),
        shown: moves,
      },
      { label: texts.jobs.fields.tags, act: (jobIds) => openDialog({ kind: "tags", jobIds }), shown: writes },
      { label: texts.jobs.moveToPool, act: (jobIds) => void moveToPool(jobIds, id), shown: writes },
      {
        label: texts.jobs.merge,
        act: (jobIds) => openDialog({ kind: "merge", jobIds }),
        shown: writes && deletes && count > 1,
      },
      {
        label: `${texts.jobs.mergePlaces}…`,
        act: (jobIds) => openDialog({ kind: "merge-places", jobIds }),
        shown: writes && deletes && count > 1,
      },
      {
        label: texts.jobs.bulkUpdate,
        act: (jobIds) => openDialog({ kind: "bulk-update", jobIds }),
        shown: writes && count > 1,
      },
      { label: texts.jobs.excelExport, act: (jobIds) => void exportJobs(jobIds), shown: excel },
      { label: texts.jobs.downloadPods, act: (jobIds) => void downloadPods(jobIds), shown: pods },
      {
        label: texts.runs.deliveryExecution,
        act: (jobIds) => jobIds.forEach((jobId) => void sendDeliveryExecution(jobId)),
        shown: links && count === 1,
      },
    ];
    return actions.filter((action) => action.shown);
  };
}

/** The jobs as an Excel file. */
async function exportJobs(jobIds: readonly number[]): Promise<void> {
  const call = requestBlob("/jobs/excel_export", { method: "POST", body: { job_ids: jobIds }, quiet: true });
  await withToast(call, {
    loading: texts.dispatch.downloadingExcel,
    success: texts.dispatch.downloaded,
    failure: failureText(texts.dispatch.downloadFailed),
  }).then(
    (file) => saveFile(file, "jobs.xlsx"),
    () => undefined,
  );
}

/** The proofs of delivery of several jobs as one archive. */
async function downloadPods(jobIds: readonly number[]): Promise<void> {
  try {
    const file = await requestBlob("/pod_pdfs/jobs", { query: { job_ids: jobIds }, quiet: true });
    saveFile(file, "proofs-of-delivery.zip");
  } catch {
    toastError(jobIds.length === 1 ? texts.proofs.noPdf : texts.proofs.noPdfs);
  }
}

/** Tells the freight forwarder what was recorded at one job. */
async function sendDeliveryExecution(jobId: number): Promise<void> {
  const call = request<{ success: boolean; description: string }>("/gefco/delivery_execution", {
    method: "POST",
    body: { job_id: jobId },
    quiet: true,
  });
  await withToast(call, {
    loading: texts.tracking.sending,
    success: ({ description }) => description || texts.tracking.sent,
    failure: failureText(texts.runs.deliveryOutFailed),
  }).catch(() => undefined);
}
