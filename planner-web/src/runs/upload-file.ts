import { request, send, type StoredFile } from "@routewright/web";

function form(file: Blob, name: string, prefix?: string): FormData {
  const data = new FormData();
  data.append("file", file, name);
  if (prefix !== undefined) data.append("prefix", prefix);
  return data;
}

/** Uploads a file as the signed-in user. */
export function uploadFile(file: Blob, name: string, prefix?: string): Promise<StoredFile> {
  return request<StoredFile>("/files/upload", {
    method: "POST",
    body: form(file, name, prefix),
    quiet: true,
  });
}

/** Uploads a file with a run sheet token. */
export async function uploadRunsheetFile(token: string, file: Blob, name: string): Promise<StoredFile> {
  const response = await send("/v2/runsheet/upload/file", {
    method: "POST",
    body: form(file, name),
    headers: { Authorization: `Token ${token}` },
  });
  return (await response.json()) as StoredFile;
}
