import type { FileRow } from "@routewright/web";

/** Rows as a CSV file that spreadsheets and this import read. */
export async function keptFile(headers: readonly string[], rows: readonly FileRow[]): Promise<Blob> {
  const { default: papa } = await import("papaparse");
  const data = rows.map(({ cells }) => headers.map((header) => cells[header] ?? ""));
  const text = papa.unparse({ fields: [...headers], data });
  return new Blob(["\uFEFF", text, "\r\n"], { type: "text/csv" });
}
