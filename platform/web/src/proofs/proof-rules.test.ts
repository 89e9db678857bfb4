import { describe, expect, it } from "vitest";
import type { Proof, Reason } from "../model/index.ts";
import { countStage, isOk, itemProofs, latestByStage, type Stage, STAGES } from "./proof-rules.ts";

const stored = { created: "2026-06-01T08:00:00Z", modified: "2026-06-01T08:00:00Z" };
const reasons = new Map<number, Reason>([
  [1, { ...stored, id: 1, name: "Damaged", ok: false, applies_to: [] }],
  [2, { ...stored, id: 2, name: "Delivered - OK", ok: false, applies_to: [] }],
  [3, { ...stored, id: 3, name: "Left at dock", ok: true, applies_to: [] }],
]);

function proof(part: Partial<Proof>): Proof {
  return {
    id: 1,
    mode: "deliver",
    reason_id: null,
    record_time: "2026-07-01 09:00:00",
    success: true,
    ...part,
  } as Proof;
}

describe("proofs", () => {
  it("X-319 to X-322: are OK without a reason, with an OK reason or with one of the two names", () => {
    expect(isOk(proof({}), reasons)).toBe(true);
    expect(isOk(proof({ reason_id: 1 }), reasons)).toBe(false);
    expect(isOk(proof({ reason_id: 2 }), reasons)).toBe(true);
    expect(isOk(proof({ reason_id: 3 }), reasons)).toBe(true);
    expect(isOk(proof({ success: false }), reasons)).toBe(true);
  });

  it("X-150 X-363 X-366 the latest of each mode wins, the others are older", () => {
    const early = proof({ id: 1, record_time: "2026-07-01 08:00:00" });
    const late = proof({ id: 2, record_time: "2026-07-01 10:00:00" });
    const back = proof({ id: 3, mode: "return" });
    const { latest, older } = latestByStage([early, late, back]);
    expect(latest.deliver?.id).toBe(2);
    expect(latest.at_depot?.id).toBe(3);
    expect(older).toEqual([early]);
  });

  it("X-362 X-364 X-365 count items per stage with their exceptions", () => {
    const items = {
      units: [[proof({ reason_id: 1 }), proof({})], [proof({ mode: "load" })], []],
      returns: [],
    };
    expect(countStage("deliver", items, reasons)).toEqual({ done: 1, total: 3, exceptions: 1 });
    expect(countStage("load", items, reasons)).toEqual({ done: 1, total: 3, exceptions: 0 });
    const depot = {
      units: [[proof({ mode: "at_depot" })], []],
      returns: [[proof({ mode: "return", reason_id: 1 })]],
    };
    expect(countStage("at_depot", depot, reasons)).toEqual({ done: 2, total: 3, exceptions: 1 });
  });

  it("W-050 X-357 to X-360: totals count what has no proof yet, and returns are neither loaded nor unloaded", () => {
    const unit = { ...proof({ mode: "load" }), unit_id: 7 };
    const back = { ...proof({ mode: "pickup" }), return_id: 3 };
    const items = itemProofs([{ id: 7 }, { id: 8 }], [{ id: 3 }], [unit], [back]);
    const count = (stage: Stage) => {
      const { done, total } = countStage(stage, items, reasons);
      return `${done}/${total}`;
    };
    expect(STAGES.map(count)).toEqual(["1/2", "0/2", "1/3", "0/3"]);
  });
});
