import {
  ApiError,
  type Client,
  dismissToast,
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
import { type Mapping, mappingToSend, type Row, rowsToSend } from "./mapping.ts";

export type OnDuplicate = "update" | "create" | "skip";

export type UploadResult =
  { kind: "done"; answer: ImportAnswer } | { kind: "refused"; failure: ImportFailure } | { kind: "failed" };

/** Sends the rows; a refusal of rows comes back as data, everything else is toasted. */
export async function uploadRows(
  rows: readonly Row[],
  mapping: Mapping,
  scenarioId: number,
  onDuplicate: OnDuplicate,
): Promise<UploadResult> {
  const id = toastLoading(texts.imports.importing);
  try {
    const answer = await request<ImportAnswer>("/jobs/template_upload", {
      method: "POST",
      body: {
        rows: rowsToSend(rows, mapping),
        scenario_id: scenarioId,
        mapping: mappingToSend(mapping),
        on_duplicate: onDuplicate,
      },
      quiet: true,
    });
    toastSuccess(texts.imports.done, { id, description: fill(texts.imports.counts, counts(answer)) });
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

function counts({ created, updated, skipped }: ImportAnswer): Record<string, number> {
  return { created, updated, skipped };
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
