import type { Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { canValidate, excessOf, warningsOf } from "./validation.ts";

function run(part: Partial<Run>): Run {
  return {
    total_driving_time: 7200,
    total_job_duration: 7200,
    distance: 100_000,
    billing_start_time: "2026-07-01T08:00:00Z",
    actual_start_time: "2026-07-01T08:00:00Z",
    actual_end_time: "2026-07-01T12:36:00Z",
    start_odometer: 1000,
    end_odometer: 1110,
    additional_billing_kms: 5,
    ...part,
  } as Run;
}

describe("validation of a run", () => {
  it("X-399 X-403 passes up to 15 % above the plan", () => {
    expect(excessOf(run({}))).toMatchObject({ timeOk: true, distanceOk: true });
    expect(excessOf(run({ actual_end_time: "2026-07-01T12:37:00Z" })).timeOk).toBe(false);
    expect(excessOf(run({ additional_billing_kms: 5.1 })).distanceOk).toBe(false);
  });

  it("X-409 X-410 X-635 says by how much the plan is exceeded", () => {
    const excess = excessOf(run({ actual_end_time: "2026-07-01T13:05:00Z", end_odometer: 1130.5 }));
    expect(warningsOf(excess)).toEqual([
      "Actual hours is 1h 5 min greater than planned hours.",
      "Billing distance is 35.50 km more than planned distance.",
    ]);
  });

  it("X-396 fails the distance check without an odometer, and cannot be validated", () => {
    const incomplete = run({ end_odometer: null });
    expect(excessOf(incomplete).distanceOk).toBe(false);
    expect(canValidate(incomplete)).toBe(false);
    expect(canValidate(run({}))).toBe(true);
  });
});
