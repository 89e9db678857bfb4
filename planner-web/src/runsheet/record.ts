import type { Runsheet, RunsheetJob } from "@routewright/web";

export type RecordKind = "start" | "stop" | "end" | "note";

/** What a driver recorded, whole: with all its proofs, photos and the signature. */
export interface KeptRecord {
  /** Made here; the office stores a record of an id once. */
  id: string;
  /** Token of the run on whose sheet it was made. */
  sheet: string;
  kind: RecordKind;
  /** What the driver calls it, for messages. */
  what: string;
  /** ISO 8601, by the phone's clock. */
  capturedAt: string;
  jobId: number | null;
  /** Fields of `POST /v2/runsheet/records` beside id, kind and times. */
  content: RecordContent;
  files: KeptFile[];
  /** When the office took it, milliseconds; it is kept until a newer sheet shows it. */
  sentAt: number | null;
  /** What the office answered when it could not take it; it is tried again. */
  problem: string | null;
}

export interface RecordContent {
  job_uid?: string;
  job_proof?: Record<string, unknown>;
  unit_proofs?: Record<string, unknown>[];
  return_proofs?: Record<string, unknown>[];
  container_proofs?: Record<string, unknown>[];
  route?: Record<string, unknown>;
  checklist?: { checklist_definition_id: number; values: Record<string, string> };
  note?: string;
}

export interface KeptFile {
  /** `photo_ids` and `signature_id` of the proof, or `values.{field}` of the checklist. */
  field: string;
  name: string;
  data: Blob;
  /** Id in the office once it is there, so that it is not brought twice. */
  storedId: number | null;
  /** Why the office does not take it; the record goes without it. */
  refusal: string | null;
}

/** The body of `POST /v2/runsheet/records`, with the ids of the files that are there. */
export function bodyOf(record: KeptRecord, now: Date): Record<string, unknown> {
  const content = structuredClone(record.content);
  const proof = content.job_proof ?? content.route;
  for (const { field, storedId } of record.files) {
    if (storedId === null) continue;
    if (field.startsWith("values.")) {
      const values = content.checklist?.values;
      const name = field.slice("values.".length);
      if (values !== undefined)
        values[name] = values[name] ? `${values[name]},${storedId}` : String(storedId);
    } else if (proof !== undefined) {
      if (field === "photo_ids") {
        proof[field] = [...((proof[field] as number[] | undefined) ?? []), storedId];
      } else proof[field] = storedId;
    }
  }
  return {
    ...content,
    id: record.id,
    kind: record.kind,
    job_id: record.jobId,
    captured_at: record.capturedAt,
    sent_at: now.toISOString(),
    missing_files: record.files
      .filter(({ refusal }) => refusal !== null)
      .map(({ name, refusal }) => ({ name, reason: refusal })),
  };
}

/** What the driver sees: the sheet with everything that was recorded on this phone. */
export function withRecords(sheet: Runsheet, records: readonly KeptRecord[]): Runsheet {
  const at = (kind: RecordKind): string | null =>
    records.find((record) => record.kind === kind)?.capturedAt ?? null;
  return {
    ...sheet,
    run: {
      ...sheet.run,
      actual_start_time: sheet.run.actual_start_time ?? at("start"),
      actual_end_time: sheet.run.actual_end_time ?? at("end"),
    },
  };
}

/** The latest record of a stop on this phone. */
export function recordOf(jobId: number, records: readonly KeptRecord[]): KeptRecord | undefined {
  return records.findLast((record) => record.kind === "stop" && record.jobId === jobId);
}

/** The latest proof of a stop in the office. */
export function proofOf(job: RunsheetJob): RunsheetJob["proofs"][number] | undefined {
  const own = job.proofs.filter(
    (proof) => proof.mode === null && proof.unit_id === null && proof.return_id === null,
  );
  return own.toSorted((a, b) => b.record_time.localeCompare(a.record_time))[0];
}

/** What became of a stop, on this phone or in the office; `null` while it is open. The phone knows last. */
export function resultOf(job: RunsheetJob, records: readonly KeptRecord[]): "done" | "failed" | null {
  const recorded = recordOf(job.id, records);
  const success =
    recorded === undefined ? proofOf(job)?.success : recorded.content.job_proof?.["success"] !== false;
  if (success === undefined) return null;
  return success ? "done" : "failed";
}
