import { request, requestBlob, saveFile, withToast, type Query, texts } from "@routewright/web";

const DOWNLOADING = {
  loading: texts.admin.shared.downloading,
  success: texts.admin.shared.fileDownloaded,
  failure: texts.admin.shared.downloadFailed,
};

/** Fetches a file and hands it to the browser; progress, success and failure are toasts. */
export async function download(
  path: string,
  name: string,
  options: { query?: Query; texts?: typeof DOWNLOADING; method?: "POST"; body?: unknown } = {},
): Promise<void> {
  const work = requestBlob(path, {
    query: options.query,
    method: options.method,
    body: options.body,
    quiet: true,
  }).then((bytes) => saveFile(bytes, name));
  await withToast(work, options.texts ?? DOWNLOADING).catch(() => undefined);
}

/**
 * Starts an export. A small one comes as a file at once; a large one is queued, and the caller gets an e-mail.
 */
export async function exportFile(path: string, name: string, query: Query): Promise<void> {
  const work = requestBlob(path, { query, quiet: true }).then((bytes) => {
    if (bytes.type.startsWith("application/json")) return "queued" as const;
    saveFile(bytes, name);
    return "saved" as const;
  });
  await withToast(work, {
    loading: texts.admin.shared.exporting,
    success: (how) =>
      how === "saved" ? texts.admin.shared.exportingFinished : texts.admin.shared.exportQueued,
    failure: (error) => (error instanceof Error ? error.message : texts.admin.shared.downloadFailed),
  }).catch(() => undefined);
}

/** Uploads one file; `prefix` becomes a part of its stored name. */
export async function upload(file: File, prefix: string): Promise<{ id: number; uid: string; link: string }> {
  const form = new FormData();
  form.set("prefix", prefix);
  form.set("file", file);
  return request("/files/upload", { method: "POST", body: form, quiet: true });
}
