import { describe, expect, it } from "vitest";
import { type OldRecord, recordsOfOldQueue } from "./old-queue.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const photo = { field: "photo_ids", name: "photo-1.jpg", data: new Blob(["x"]), storedId: null };

function old(id: string, kind: OldRecord["kind"], body: object, part: Partial<OldRecord> = {}): OldRecord {
  return { id, what: id, kind, subjectId: null, body: { ...body }, files: [], refusal: null, ...part };
}

describe("the queue of an older version", () => {
  it("W-042: becomes one record for everything that was saved with one tap", () => {
    const stop = { job_id: 4, record_time: "2026-11-23 08:30:00", lat: 41, lon: -8 };
    const records = recordsOfOldQueue(
      "token",
      [
        old("c", "checklist", { checklist_definition_id: 2, values: { a: "true" } }),
        old("s", "start", { odometer: 10, actual_start_time: "2026-11-23T08:00:00.000Z" }),
        old(
          "r",
          "run_proof",
          { mode: "start", record_time: "2026-11-23 08:00:00", odometer: 10 },
          {
            files: [photo],
          },
        ),
        old("u", "unit_proof", { ...stop, unit_id: 7, mode: "deliver", success: true }),
        old(
          "S-4",
          "job_proof",
          { ...stop, success: true, photo_ids: [] },
          {
            files: [{ ...photo, storedId: 3 }],
          },
        ),
        old("S-5", "job_proof", { ...stop, job_id: 5, success: false }, { refusal: "Job not found" }),
      ],
      NOW,
    );
    expect(records.map(({ id, kind, capturedAt, jobId }) => [id, kind, capturedAt, jobId])).toEqual([
      ["c", "start", "2026-11-23T08:00:00.000Z", null],
      ["u", "stop", "2026-11-23T08:30:00.000Z", 4],
      ["S-5", "stop", "2026-11-23T08:30:00.000Z", 5],
    ]);
    const place = { lat: 41, lon: -8 };
    expect(records.map(({ content }) => content)).toEqual([
      { checklist: { checklist_definition_id: 2, values: { a: "true" } }, route: { odometer: 10 } },
      {
        job_uid: "S-4",
        job_proof: { ...place, success: true, photo_ids: [] },
        unit_proofs: [{ ...place, unit_id: 7, job_id: 4, mode: "deliver", success: true }],
      },
      { job_uid: "S-5", job_proof: { ...place, success: false } },
    ]);
    expect(records.map(({ files }) => files.map(({ storedId }) => storedId))).toEqual([[null], [3], []]);
    expect(records.map(({ problem, sheet }) => [problem, sheet])).toEqual([
      [null, "token"],
      [null, "token"],
      ["Job not found", "token"],
    ]);
  });

  it("keeps the answers of a checklist whose start never came about", () => {
    const [record] = recordsOfOldQueue(
      "token",
      [old("Vehicle check", "checklist", { checklist_definition_id: 2, values: {} })],
      NOW,
    );
    expect(record).toMatchObject({ kind: "note", content: { note: "Vehicle check", checklist: {} } });
  });
});
