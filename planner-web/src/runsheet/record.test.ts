import type { Runsheet, RunsheetJob } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { bodyOf, type KeptFile, type KeptRecord, resultOf, withRecords } from "./record.ts";

function job(proofs: { success: boolean; record_time: string; unit_id?: number }[]): RunsheetJob {
  const proof = { mode: null, unit_id: null, return_id: null };
  return { id: 1, proofs: proofs.map((part) => ({ ...proof, ...part })) } as unknown as RunsheetJob;
}

function record(part: Partial<KeptRecord>): KeptRecord {
  return {
    id: "a",
    sheet: "token",
    kind: "stop",
    what: "A",
    capturedAt: "2026-11-23T08:00:00.000Z",
    jobId: 1,
    content: {},
    files: [],
    sentAt: null,
    problem: null,
    ...part,
  };
}

function file(field: string, storedId: number | null, refusal: string | null = null): KeptFile {
  return { field, name: `${field}.jpg`, data: new Blob(["x"]), storedId, refusal };
}

describe("a record as the office takes it", () => {
  it("W-042 W-045: is one body with the ids of its files, those that were refused named with their reason", () => {
    const files = [file("photo_ids", 5), file("photo_ids", null, "Too large"), file("signature_id", 7)];
    const body = bodyOf(
      record({
        content: { job_proof: { success: true, photo_ids: [3] }, unit_proofs: [{ unit_id: 2 }] },
        files,
      }),
      new Date("2026-11-23T08:01:00Z"),
    );
    expect(body).toEqual({
      id: "a",
      kind: "stop",
      job_id: 1,
      captured_at: "2026-11-23T08:00:00.000Z",
      sent_at: "2026-11-23T08:01:00.000Z",
      job_proof: { success: true, photo_ids: [3, 5], signature_id: 7 },
      unit_proofs: [{ unit_id: 2 }],
      missing_files: [{ name: "photo_ids.jpg", reason: "Too large" }],
    });
  });

  it("puts files of checklists into their values", () => {
    const checklist = { checklist_definition_id: 4, values: { f1: "true", f2: "" } };
    const files = [file("values.f2", 5), file("values.f2", 6), file("photo_ids", 8)];
    const content = { route: { odometer: 10 }, checklist };
    const body = bodyOf(record({ kind: "start", jobId: null, content, files }), new Date());
    expect(body["checklist"]).toEqual({ checklist_definition_id: 4, values: { f1: "true", f2: "5,6" } });
    expect(body["route"]).toEqual({ odometer: 10, photo_ids: [8] });
    expect(content.checklist.values.f2).toBe("");
  });
});

describe("what the driver sees", () => {
  it("is open without a proof, and a unit's proof is none", () => {
    expect(resultOf(job([]), [])).toBeNull();
    expect(resultOf(job([{ success: true, record_time: "2026-11-22 08:00:00", unit_id: 4 }]), [])).toBeNull();
  });

  it("is the latest proof, and what the phone knows comes last", () => {
    const failed = { success: false, record_time: "2026-11-22 08:00:00" };
    const delivered = { success: true, record_time: "2026-11-22 09:00:00" };
    expect(resultOf(job([failed]), [])).toBe("failed");
    expect(resultOf(job([delivered, failed]), [])).toBe("done");
    const here = (success: boolean, problem: string | null = null) =>
      record({ content: { job_proof: { success } }, problem });
    expect(resultOf(job([]), [here(false)])).toBe("failed");
    expect(resultOf(job([failed]), [here(true, "The office could not take it")])).toBe("done");
  });

  it("shows a start that waits", () => {
    const run = { actual_start_time: null, actual_end_time: null };
    const shown = withRecords({ run } as unknown as Runsheet, [record({ kind: "start", jobId: null })]);
    expect(shown.run.actual_start_time).toBe("2026-11-23T08:00:00.000Z");
    expect(shown.run.actual_end_time).toBeNull();
  });
});
