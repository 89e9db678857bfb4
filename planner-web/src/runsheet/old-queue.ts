import type { KeptFile, KeptRecord, RecordContent } from "./record.ts";

/** A record as older versions kept it: each proof by itself, all of a run in one list. */
export interface OldRecord {
  id: string;
  what: string;
  kind:
    | "start"
    | "end"
    | "job_proof"
    | "unit_proof"
    | "return_proof"
    | "container_proof"
    | "run_proof"
    | "checklist";
  /** Job, unit, return or run that it is about. */
  subjectId: number | null;
  body: Record<string, unknown>;
  files: Omit<KeptFile, "refusal">[];
  /** Why the office did not take it. */
  refusal: string | null;
}

/** A record that is being put together, and what tells which further parts are its own. */
interface Unit {
  key: string;
  record: KeptRecord;
}

/**
 * The records that an older version left, as they are kept now: what was saved with one tap is one record. What the
 * office refused is tried again; it stores evidence now, whatever was planned meanwhile.
 */
export function recordsOfOldQueue(sheet: string, old: readonly OldRecord[], now: Date): KeptRecord[] {
  const units: Unit[] = [];
  for (const one of old) {
    const key = keyOf(one);
    const last = units.at(-1);
    // A checklist was queued just before the start or end that it belongs to.
    const own = last !== undefined && (last.key === key || (last.key === "checklist" && isRoute(one.kind)));
    const unit = own ? last : { key, record: empty(sheet, one, now) };
    if (!own) units.push(unit);
    unit.key = key;
    add(unit.record, one);
  }
  return units.map(({ record }) => record).map(orNote);
}

const ROUTE = ["start", "end", "run_proof"] as const;

function isRoute(kind: OldRecord["kind"]): kind is (typeof ROUTE)[number] {
  return (ROUTE as readonly string[]).includes(kind);
}

function keyOf(one: OldRecord): string {
  const { kind, body } = one;
  if (kind === "checklist") return kind;
  if (isRoute(kind)) return `route ${routeKind(one)}`;
  return `stop ${String(body["job_id"])} ${String(body["record_time"])}`;
}

function routeKind({ kind, body }: OldRecord): "start" | "end" {
  return kind === "end" || body["mode"] === "end" ? "end" : "start";
}

function empty(sheet: string, { id, what, body }: OldRecord, now: Date): KeptRecord {
  const job = body["job_id"];
  return {
    id,
    sheet,
    kind: "note",
    what,
    capturedAt: now.toISOString(),
    jobId: typeof job === "number" ? job : null,
    content: {},
    files: [],
    sentAt: null,
    problem: null,
  };
}

function add(record: KeptRecord, one: OldRecord): void {
  const { kind, body, what } = one;
  record.capturedAt = momentOf(body) ?? record.capturedAt;
  record.problem ??= one.refusal;
  record.files.push(...one.files.map((file) => ({ ...file, refusal: null })));
  if (kind === "checklist") record.content.checklist = body as NonNullable<RecordContent["checklist"]>;
  else if (isRoute(kind)) {
    record.kind = routeKind(one);
    record.what = what;
    const { odometer, lat, lon } = body;
    record.content.route = { odometer, ...(lat !== undefined && { lat, lon }) };
  } else {
    record.kind = "stop";
    const proof = proofOf(body);
    if (kind === "job_proof") {
      record.what = what;
      record.content.job_uid = what;
      record.content.job_proof = proof;
    } else {
      const parts = (record.content[`${kind}s`] ??= []);
      parts.push({ ...proof, job_id: record.jobId });
    }
  }
}

/** Answers of a checklist whose start or end never came about: the office reads them. */
function orNote(record: KeptRecord): KeptRecord {
  if (record.kind !== "note") return record;
  return { ...record, content: { ...record.content, note: record.what } };
}

function proofOf(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => name !== "job_id" && name !== "record_time"),
  );
}

/** When it was recorded, ISO 8601: proofs said so in UTC without a zone. */
function momentOf(body: Record<string, unknown>): string | null {
  const { record_time: proof, actual_start_time: start, actual_end_time: end } = body;
  if (typeof proof === "string") return new Date(`${proof.replace(" ", "T")}Z`).toISOString();
  const driven = start ?? end;
  return typeof driven === "string" ? driven : null;
}
