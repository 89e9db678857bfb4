import { describe, expect, it } from "vitest";
import { excessOf, excessTexts, missingForValidation } from "./tolerance.ts";

const run = {
  billing_start_time: "2026-01-02T08:00:00Z",
  actual_start_time: "2026-01-02T08:00:00Z",
  actual_end_time: "2026-01-02T16:00:00Z",
  start_odometer: 1000,
  end_odometer: 1100,
  additional_billing_kms: 0,
  // eight hours and 100 km planned
  total_driving_time: 5 * 3600,
  total_job_duration: 3 * 3600,
  distance: 100_000,
};

describe("validation of a run (001 §5)", () => {
  it("needs both actual times, both odometers and the billing start", () => {
    expect(missingForValidation(run)).toEqual([]);
    expect(missingForValidation({ ...run, end_odometer: null, billing_start_time: null })).toEqual([
      "billing_start_time",
      "end_odometer",
    ]);
  });

  it("passes up to 15 % over the plan, inclusive", () => {
    const edge = { ...run, actual_end_time: "2026-01-02T17:12:00Z", end_odometer: 1115 };
    expect(excessOf(edge)).toMatchObject({ timeOk: true, distanceOk: true });
    const over = {
      ...run,
      actual_end_time: "2026-01-02T17:13:00Z",
      end_odometer: 1114,
      additional_billing_kms: 1.5,
    };
    expect(excessOf(over)).toMatchObject({ timeOk: false, distanceOk: false });
  });

  it("fails the distance check without an odometer", () => {
    expect(excessOf({ ...run, start_odometer: null })).toMatchObject({ distanceOk: false, km: null });
  });

  it("asks with the excess in words", () => {
    const over = { ...run, actual_end_time: "2026-01-02T18:05:00Z", end_odometer: 1120.5 };
    expect(excessTexts(excessOf(over))).toEqual([
      "Actual hours is 2h 5 min greater than planned hours.",
      "Billing distance is 20.50 km more than planned distance.",
    ]);
    expect(excessTexts(excessOf(run))).toEqual([]);
  });
});
