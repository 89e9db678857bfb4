import type { RunsheetJob } from "@routewright/web";
import { describe, expect, it } from "vitest";
import type { OutboxRecord } from "./outbox.ts";
import { resultOf } from "./sheet.ts";

function job(proofs: { success: boolean; record_time: string; unit_id?: number }[]): RunsheetJob {
  const proof = { mode: null, unit_id: null, return_id: null };
  return { id: 1, proofs: proofs.map((part) => ({ ...proof, ...part })) } as unknown as RunsheetJob;
}

function waiting(success: boolean, refusal: string | null = null): OutboxRecord {
  return { id: "a", what: "A", kind: "job_proof", subjectId: 1, body: { success }, files: [], refusal };
}

describe("the result of a stop on the run sheet", () => {
  it("is open without a proof, and a unit's proof is none", () => {
    expect(resultOf(job([]), [])).toBeNull();
    expect(resultOf(job([{ success: true, record_time: "2026-11-22 08:00:00", unit_id: 4 }]), [])).toBeNull();
  });

  it("is that of the latest proof", () => {
    const failed = { success: false, record_time: "2026-11-22 08:00:00" };
    const delivered = { success: true, record_time: "2026-11-22 09:00:00" };
    expect(resultOf(job([failed]), [])).toBe("failed");
    expect(resultOf(job([delivered, failed]), [])).toBe("done");
  });

  it("counts what still waits on the phone, unless the office refused it", () => {
    expect(resultOf(job([]), [waiting(false)])).toBe("failed");
    expect(resultOf(job([]), [waiting(true)])).toBe("done");
    expect(resultOf(job([]), [waiting(true, "No")])).toBeNull();
  });
});
