import {
  ApiError,
  type Client,
  dismissToast,
  type FileFault,
  type FileRow,
  fill,
  type ImportAnswer,
  type ImportFailure,
  request,
  requestLines,
  texts,
  toastError,
  toastLoading,
  toastSuccess,
} from "@routewright/web";
import { lookUpAhead } from "./look-up.ts";
import { faultsToSend, type Mapping, rowsToSend } from "./mapping.ts";

export type OnDuplicate = "update" | "create" | "skip";

export type UploadResult =
  { kind: "done"; answer: ImportAnswer } | { kind: "refused"; failure: ImportFailure } | { kind: "failed" };

/** What is sent beside the rows. */
export interface UploadChoice {
  mapping: Mapping;
  scenarioId: number;
  onDuplicate: OnDuplicate;
  /** Faultless rows are imported although others are kept for repair. */
  partial: boolean;
  /** What was not sure when the file was read, and was not corrected since. */
  unsure: readonly FileFault[];
}

/** Sends the rows; a refusal of rows comes back as data, everything else is toasted. */
export async function uploadRows(rows: readonly FileRow[], choice: UploadChoice): Promise<UploadResult> {
  const { mapping, scenarioId, onDuplicate, partial, unsure } = choice;
  const id = toastLoading(fill(texts.imports.importingRows, { n: rows.length }));
  try {
    await lookUpAhead(rows, mapping, (n, total) =>
      toastLoading(fill(texts.imports.lookingUp, { n, total }), id),
    );
    toastLoading(fill(texts.imports.importingRows, { n: rows.length }), id);
    const answer = await request<ImportAnswer>("/jobs/template_upload", {
      method: "POST",
      body: {
        rows: rowsToSend(rows, mapping),
        scenario_id: scenarioId,
        mapping,
        on_duplicate: onDuplicate,
        partial,
        faults: faultsToSend(rows, unsure),
      },
      quiet: true,
    });
    // What was kept for repair is told in the dialog, which stays open.
    if (answer.refused > 0) dismissToast(id);
    else toastSuccess(texts.imports.done, { id, description: accountOf(answer) });
    return { kind: "done", answer };
  } catch (error) {
    // Refused rows are told in the dialog, whose buttons a toast would hide.
    if (isImportFailure(error)) {
      dismissToast(id);
      return { kind: "refused", failure: error.body };
    }
    toastError(error instanceof Error ? error.message : texts.errors.unknown, { id });
    return { kind: "failed" };
  }
}

const PARTS = ["created", "updated", "unchanged", "joined", "skipped", "refused"] as const;

/** What became of every row: the parts add up to the rows that were sent. */
export function accountOf(answer: ImportAnswer): string {
  const parts = PARTS.filter((part) => answer[part] > 0);
  const told = parts.map((part) => fill(texts.imports.account[part], { n: answer[part] }));
  const reasons = new Map<string, number>();
  for (const { reason } of answer.skipped_rows) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const most = [...reasons].slice(0, 3).map(([reason, n]) => `${n} × ${reason}`);
  const rows = fill(texts.imports.account.rows, { n: answer.rows });
  const doubtful = answer.to_confirm > 0 ? [fill(texts.imports.toConfirm, { n: answer.to_confirm })] : [];
  return [`${rows}: ${told.join(", ")}`, ...most, ...doubtful].join(". ");
}

function isImportFailure(error: unknown): error is ApiError & { body: ImportFailure } {
  return error instanceof ApiError && error.code === "IMPORT_FAILED";
}

/** Creates many clients, telling the progress; returns the uids that could not be created. */
export async function createClients(clients: readonly Partial<Client>[]): Promise<string[]> {
  const id = toastLoading(fill(texts.imports.uploadingClients, { n: 0, total: clients.length }));
  const failed: string[] = [];
  let n = 0;
  try {
    await requestLines("/clients/bulk_create", { method: "POST", body: clients, quiet: true }, (line) => {
      if (typeof line !== "object" || line === null) return;
      if ("title" in line && "uid" in line) failed.push(String(line.uid));
      if ("n" in line || "title" in line) n += 1;
      toastLoading(fill(texts.imports.uploadingClients, { n, total: clients.length }), id);
    });
  } catch (error) {
    toastError(error instanceof Error ? error.message : texts.errors.unknown, { id });
    return clients.map((client) => client.uid ?? "");
  }
  if (failed.length > 0) toastError(fill(texts.imports.clientsFailed, { uids: failed.join(", ") }), { id });
  else toastSuccess(texts.imports.clientsCreated, { id });
  return failed;
}
