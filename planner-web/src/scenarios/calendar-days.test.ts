import { describe, expect, it } from "vitest";
import { daysShown } from "./calendar-days.ts";

describe("calendar", () => {
  it("shows whole weeks from Monday", () => {
    const days = daysShown("2026-07-15", "month");
    expect(days[0]).toBe("2026-06-29");
    expect(days.at(-1)).toBe("2026-08-02");
    expect(days.length % 7).toBe(0);
  });

  it("shows one week or one day", () => {
    expect(daysShown("2026-07-19", "week")).toEqual(
      ["13", "14", "15", "16", "17", "18", "19"].map((day) => `2026-07-${day}`),
    );
    expect(daysShown("2026-07-19", "day")).toEqual(["2026-07-19"]);
  });
});
