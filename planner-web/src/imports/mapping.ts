import { parseTimeOfDay } from "@routewright/web";
import { extraFieldName, IGNORE, isTarget, suggestTarget } from "./targets.ts";

/** Target of each header. */
export type Mapping = Record<string, string>;
export type Row = Record<string, string>;

/** Targets that a job cannot do without; a place is an address or coordinates. */
const NEEDED = ["uid"] as const;

/** First mapping of a file: what was chosen for the same headers before, else what the headers say. */
export function firstMapping(headers: readonly string[], earlier: Mapping | null = null): Mapping {
  const taken = new Set<string>();
  const mapping: Mapping = {};
  for (const header of headers) {
    const target = earlier?.[header] ?? suggestTarget(header) ?? IGNORE;
    // Two columns cannot fill one field.
    const free = target === IGNORE || !taken.has(target);
    mapping[header] = free ? target : IGNORE;
    if (free) taken.add(target);
  }
  return mapping;
}

/** Whether the header itself names a known target. Others are shown red and ignored unless the user maps them. */
export function isKnownHeader(header: string): boolean {
  return suggestTarget(header) !== null;
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
export function rowsToSend(rows: readonly Row[], mapping: Mapping): Row[] {
  const columns = Object.entries(mapping).filter(([, target]) => target !== IGNORE);
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(([header, target]) => {
        const cell = row[header] ?? "";
        const value = cell.trim();
        // A name of blanks is no missing name: it is sent as it is, and refused with its reason.
        if (value === "" && cell !== "" && target === "customer_name") return [header, cell];
        return [header, TIMES.has(target) ? (parseTimeOfDay(value) ?? value) : value];
      }),
    ),
  );
}

/** The mapping that goes with `rowsToSend`. */
export function mappingToSend(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== IGNORE));
}

/** The first value of each column: the first row alone may be empty where others are not. */
export function examplesOf(headers: readonly string[], rows: readonly Row[]): Row {
  const first = (header: string): string =>
    rows.find((row) => (row[header] ?? "").trim() !== "")?.[header] ?? "";
  return Object.fromEntries(headers.map((header) => [header, first(header)]));
}

const MEMORY_KEY = "importMappings";

/** The mapping that was last used for these headers. */
export function rememberedMapping(headers: readonly string[]): Mapping | null {
  const value: unknown = readMemory()[memoryKey(headers)];
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

export function rememberMapping(headers: readonly string[], mapping: Mapping): void {
  const memory = { ...readMemory(), [memoryKey(headers)]: mapping };
  localStorage.setItem(MEMORY_KEY, JSON.stringify(memory));
}

function readMemory(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(MEMORY_KEY) ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function memoryKey(headers: readonly string[]): string {
  return [...headers].sort().join("|");
}
