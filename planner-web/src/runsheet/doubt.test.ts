import { describe, expect, it } from "vitest";
import { odometerDoubt } from "./doubt.ts";

const run = { start_odometer: 1000, distance: 40_000 };

describe("the odometer at the end", () => {
  it.each([1001, 1040, 1130, null])("W-064: is taken as it is where it can be: %s", (km) => {
    expect(odometerDoubt(run, km, "km")).toBeNull();
  });

  it("W-064: is asked about where a digit seems wrong or nothing was driven", () => {
    expect(odometerDoubt(run, 1131, "km")).toBe(
      "That makes 131.00 km for this run; 40.00 km were planned. Is the odometer right?",
    );
    expect(odometerDoubt(run, 1000, "mi")).toBe(
      "That makes no distance at all for this run; 24.85 mi were planned. Is the odometer right?",
    );
  });

  it("W-064: cannot be judged without the one at the start", () => {
    expect(odometerDoubt({ ...run, start_odometer: null }, 9_999_999, "km")).toBeNull();
  });
});
