import {
  type DispatchResult,
  fill,
  messageOfError,
  mayCall,
  request,
  requestBlob,
  type Run,
  type RunMethod,
  saveFile,
  session,
  texts,
  toastError,
  toastInfo,
  toastLoading,
  toastSuccess,
  withToast,
} from "@routewright/web";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";
import { contactChanges, type DispatchDraft } from "./dispatch-draft.ts";

/** Saves changed contact data, sends the run sheets and marks the runs whose sheet was accepted. */
export async function sendRunSheets(
  drafts: readonly DispatchDraft[],
  runs: readonly Run[],
  scenarioId: number,
  /** Why runs with broken rules are sent, by run. */
  reasons: Readonly<Record<number, string>> = {},
): Promise<void> {
  const id = toastLoading(texts.dispatch.sending);
  try {
    await saveContacts(drafts, runs, scenarioId);
    const results = await request<DispatchResult[]>("/runs/dispatch", {
      method: "POST",
      body: drafts.map(({ runId, method }) => ({ run_id: runId, method, reason: reasons[runId] ?? null })),
      quiet: true,
    });
    // The run keeps the method that it was sent by.
    const methods = new Map<number, RunMethod>(
      drafts.map(({ runId, method }) => [runId, method === "qrcode" ? "qr_code" : method]),
    );
    const sent = new Set(results.filter(({ success }) => success).map(({ run_id }) => run_id));
    queryClient.setQueryData<Run[]>(keys.runs(scenarioId), (list) =>
      list?.map((run) =>
        sent.has(run.id)
          ? { ...run, dispatched: true, preferred_method: methods.get(run.id) ?? run.preferred_method }
          : run,
      ),
    );
    // The first successful dispatch moves the scenario to tracking.
    await queryClient.invalidateQueries({ queryKey: keys.scenario(scenarioId) });
    tell(results, drafts, id);
  } catch (error) {
    toastError(messageOfError(error), { id });
  }
}

/** The contact data that was corrected in the table, before anything is sent there. */
async function saveContacts(
  drafts: readonly DispatchDraft[],
  runs: readonly Run[],
  scenarioId: number,
): Promise<void> {
  const { user } = session();
  const changes = contactChanges(drafts, runs, user?.organisation.settings.dispatch_method);
  if (changes.drivers.length > 0 && mayCall("PATCH", "/drivers/bulk", user)) {
    await request("/drivers/bulk", { method: "PATCH", body: changes.drivers, quiet: true });
    await queryClient.invalidateQueries({ queryKey: keys.drivers });
  }
  if (changes.runs.length > 0) {
    await request("/runs/bulk", { method: "PATCH", body: changes.runs, quiet: true });
  }
  if (changes.drivers.length + changes.runs.length > 0)
    await queryClient.invalidateQueries({ queryKey: keys.runs(scenarioId) });
}

function tell(
  results: readonly DispatchResult[],
  drafts: readonly DispatchDraft[],
  id: string | number,
): void {
  const uids = new Map(drafts.map(({ runId, uid }) => [runId, uid]));
  const [only] = drafts;
  const done = results.filter(({ success }) => success);
  // Nobody is sent a QR code.
  const n = done.filter(({ sent_to: to }) => to.length > 0).length;
  const shown = done.filter(({ sent_to: to }) => to.length === 0).map(({ run_id }) => uids.get(run_id) ?? "");
  if (n > 0) {
    const one = drafts.length === 1 && only !== undefined;
    toastSuccess(
      one
        ? fill(texts.dispatch.sent, { uid: only.uid })
        : fill(texts.dispatch.sentAll, { n, total: drafts.length }),
      { id },
    );
  }
  if (shown.length > 0) {
    toastInfo(fill(texts.dispatch.shownOnly, { uids: shown.join(", ") }), n === 0 ? { id } : {});
  }
  results
    .filter(({ success }) => !success)
    .forEach(({ run_id: runId, error }, index) => {
      const text = fill(texts.dispatch.failed, {
        uid: uids.get(runId) ?? String(runId),
        error: error ?? texts.errors.unknown,
      });
      toastError(text, done.length === 0 && index === 0 ? { id } : {});
    });
}

/** Fetches a file under a loading toast and saves it. */
export async function download(
  path: string,
  name: string,
  loading: string,
  query?: Record<string, string | readonly number[]>,
): Promise<void> {
  try {
    const file = await withToast(
      requestBlob(path, { quiet: true, ...(query === undefined ? {} : { query }) }),
      {
        loading,
        success: texts.dispatch.downloaded,
        failure: texts.dispatch.downloadFailed,
      },
    );
    saveFile(file, name);
  } catch {
    // Told by the toast.
  }
}

export async function bunzlExport(runs: readonly Run[]): Promise<void> {
  const id = toastLoading(texts.common.loading);
  try {
    const file = await requestBlob("/runs/bunzl_export", {
      query: { run_ids: runs.map((run) => run.id) },
      quiet: true,
    });
    saveFile(file, "bunzl-export.zip");
    toastSuccess(texts.dispatch.bunzlDone, { id });
  } catch (error) {
    toastError(fill(texts.dispatch.exportFailed, { description: messageOfError(error) }), { id });
  }
}

export async function sendPartnerFile(scenarioId: number): Promise<void> {
  await withToast(
    request(`/scenarios/${scenarioId}/all_purpose_transport_send_to_sftp`, { method: "PUT", quiet: true }),
    {
      loading: texts.dispatch.sendingFile,
      success: texts.dispatch.fileSent,
      failure: texts.dispatch.fileFailed,
    },
  ).catch(() => undefined);
}
