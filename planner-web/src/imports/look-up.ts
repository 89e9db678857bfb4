import { chunks, type FileRow, request } from "@routewright/web";
import type { Schemas } from "@routewright/web/model";
import { headerOf, type Mapping } from "./mapping.ts";

/** Addresses of one question; so many are counted at once. */
const AT_ONCE = 25;
/** So few the import looks up itself before anybody wonders. */
const FEW = 10;

/** The different addresses of rows that say no coordinates. */
export function addressesToFind(rows: readonly FileRow[], mapping: Mapping): string[] {
  const [address, lat, lon] = ["address", "lat", "lon"].map((target) => headerOf(mapping, target));
  const cell = (row: FileRow, header: string | null | undefined): string =>
    header == null ? "" : (row.cells[header] ?? "").trim();
  const found = new Map<string, string>();
  for (const row of rows) {
    const text = cell(row, address);
    if (text !== "" && cell(row, lat) === "" && cell(row, lon) === "") found.set(text.toLowerCase(), text);
  }
  return [...found.values()];
}

/**
 * Has the addresses of an import looked up before it, some at a time, telling how many are done. What goes wrong here is
 * left to the import, which says it of each row.
 */
export async function lookUpAhead(
  rows: readonly FileRow[],
  mapping: Mapping,
  tell: (n: number, total: number) => void,
): Promise<void> {
  const addresses = addressesToFind(rows, mapping);
  if (addresses.length <= FEW) return;
  for (const [index, asked] of chunks(addresses, AT_ONCE).entries()) {
    tell(index * AT_ONCE, addresses.length);
    try {
      const { failed } = await request<Schemas["LookedUp"]>("/jobs/look_up_addresses", {
        method: "POST",
        body: { addresses: asked },
        quiet: true,
      });
      if (failed === asked.length) return;
    } catch {
      return;
    }
  }
}
