import { describe, expect, it } from "vitest";
import { freeDriverUids } from "./create.ts";

describe("tutorial drivers", () => {
  it("A-222 S-27 are numbered from 1, leaving out what is taken", () => {
    expect(freeDriverUids([], 3)).toEqual(["Driver 1", "Driver 2", "Driver 3"]);
    expect(freeDriverUids(["Driver 1", "driver 3", "Maria"], 3)).toEqual([
      "Driver 2",
      "Driver 4",
      "Driver 5",
    ]);
  });
});
