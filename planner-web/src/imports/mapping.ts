import { type FileContent, type FileFault, type FileRow, parseTimeOfDay } from "@routewright/web";
import { extraFieldName, IGNORE, isTarget } from "./targets.ts";

/** Target of each header. */
export type Mapping = Record<string, string>;
export type Row = Record<string, string>;

/** Targets that a job cannot do without; a place is an address or coordinates. */
const NEEDED = ["uid"] as const;

/** First mapping of a file: what was chosen for the same headers before, else what the headers say. */
export function firstMapping({ headers, targets }: Pick<FileContent, "headers" | "targets">): Mapping {
  const taken = new Set<string>();
  const mapping: Mapping = {};
  for (const header of headers) {
    const target = targets[header] ?? IGNORE;
    // Two columns cannot fill one field.
    const free = target === IGNORE || !taken.has(target);
    mapping[header] = free ? target : IGNORE;
    if (free) taken.add(target);
  }
  return mapping;
}

/**
 * Columns that are neither recognised nor left out on purpose, or that another column with the same meaning left without a
 * field: the user should look at them.
 */
export function unknownHeaders(
  { headers, targets, known, remembered }: Pick<FileContent, "headers" | "targets" | "known" | "remembered">,
  mapping: Mapping,
): string[] {
  const meant = (header: string): boolean => known.has(header) && targets[header] === IGNORE;
  const lost = (header: string): boolean => (mapping[header] ?? IGNORE) === IGNORE && !meant(header);
  return remembered ? [] : headers.filter(lost);
}

/** Fields that no column fills although every job needs them. */
export function missingTargets(mapping: Mapping): string[] {
  const targets = new Set(Object.values(mapping));
  const missing: string[] = NEEDED.filter((target) => !targets.has(target));
  const placed =
    targets.has("address") || (targets.has("lat") && targets.has("lon")) || targets.has("client.uid");
  return placed ? missing : [...missing, "address"];
}

/** Headers whose target is not complete, such as an extra field without a name. */
export function incompleteHeaders(mapping: Mapping): string[] {
  return Object.entries(mapping)
    .filter(([, target]) => !isTarget(target))
    .map(([header]) => header);
}

/** Headers by the target they fill. */
export function headerOf(mapping: Mapping, target: string): string | null {
  const plain = target.replace(/^job\./, "");
  const field = plain === "spec_type" ? "type" : plain;
  for (const [header, mapped] of Object.entries(mapping)) {
    if (mapped === plain || mapped === field) return header;
    const extra = extraFieldName(mapped);
    if (extra !== null && (plain === `extra_field:${extra}` || plain === `extra_fields.${extra}`))
      return header;
  }
  // The server may also name the column itself.
  return target in mapping ? target : null;
}

const TIMES = new Set(["arrive_after", "leave_by"]);

/** The rows as they are sent: only mapped columns, times of day as `HH:mm` where they can be read. */
export function rowsToSend(rows: readonly FileRow[], mapping: Mapping): Row[] {
  const columns = Object.entries(mapping).filter(([, target]) => target !== IGNORE);
  return rows.map(({ cells }) =>
    Object.fromEntries(
      columns.map(([header, target]) => {
        const cell = cells[header] ?? "";
        const value = cell.trim();
        // A name of blanks is no missing name: it is sent as it is, and refused with its reason.
        if (value === "" && cell !== "" && target === "customer_name") return [header, cell];
        return [header, TIMES.has(target) ? (parseTimeOfDay(value) ?? value) : value];
      }),
    ),
  );
}

/** What is not sure of the rows that are sent, by their places among them. */
export function faultsToSend(
  rows: readonly FileRow[],
  unsure: readonly FileFault[],
): { row: number; header: string | null; message: string }[] {
  const places = new Map(rows.map(({ number }, at) => [number, at + 1]));
  return unsure.flatMap(({ number, header, message }) => {
    const row = places.get(number);
    return row === undefined ? [] : [{ row, header, message }];
  });
}

/** The first value of each column: the first row alone may be empty where others are not. */
export function examplesOf(headers: readonly string[], rows: readonly FileRow[]): Row {
  const first = (header: string): string =>
    rows.find(({ cells }) => (cells[header] ?? "").trim() !== "")?.cells[header] ?? "";
  return Object.fromEntries(headers.map((header) => [header, first(header)]));
}
