import { describe, expect, it } from "vitest";
import {
  clockText,
  etaRange,
  momentOf,
  parseDay,
  parseTimeOfDay,
  parseWallClock,
  scenarioDateText,
  timeOfMinutes,
  wallClockText,
} from "./time.ts";

describe("parseDay W-090, W-111", () => {
  it.each([
    ["2026/11/22", "2026-11-22"],
    ["2026-11-22", "2026-11-22"],
    ["2026/1/2", "2026-01-02"],
    ["20261122", "2026-11-22"],
  ])("reads %s", (text, wire) => expect(parseDay(text)).toBe(wire));
  it.each(["", "11/22/2026", "2026/02/31", "2026/13/01", "soon"])("refuses %s", (text) => {
    expect(parseDay(text)).toBeNull();
  });
});

describe("parseWallClock W-090, W-111", () => {
  it.each([
    ["2026/11/22 14:05", "2026-11-22T14:05"],
    ["2026-11-22T14:05", "2026-11-22T14:05"],
    ["2026/11/22 2pm", "2026-11-22T14:00"],
  ])("reads %s", (text, wall) => expect(parseWallClock(text)).toBe(wall));
  it.each(["", "2026/11/22", "14:05", "2026/02/31 10:00"])("refuses %s", (text) => {
    expect(parseWallClock(text)).toBeNull();
  });
  it("is written as every other moment", () => {
    expect(wallClockText("2026-11-22T14:05")).toBe("2026/11/22 14:05");
  });
});

describe("parseTimeOfDay", () => {
  it.each([
    ["9", "09:00"],
    ["09:30", "09:30"],
    ["0930", "09:30"],
    ["9:30 am", "09:30"],
    ["9:30PM", "21:30"],
    ["12 am", "00:00"],
    ["12:15 p.m.", "12:15"],
    ["23:59:30", "23:59"],
  ])("P-331 P-332 reads %s as %s", (text, time) => expect(parseTimeOfDay(text)).toBe(time));

  it.each(["", "24:00", "13 pm", "0 am", "9:60", "noon", "9:3"])("refuses %j", (text) =>
    expect(parseTimeOfDay(text)).toBeNull(),
  );
});

describe("moments", () => {
  it("X-637 shows the clock of the organisation, and UTC when the zone is unknown", () => {
    expect(clockText("2026-07-01T08:00:00Z", "Europe/Lisbon")).toBe("09:00");
    expect(clockText("2026-07-01T08:00:00Z", "Nowhere/City")).toBe("08:00");
  });

  it("turns a wall clock into a moment", () => {
    expect(momentOf("2026-07-01T09:00", "Europe/Lisbon")).toBe("2026-07-01T08:00:00.000Z");
  });

  it("A-524 rounds an ETA down to 5 minutes and spans 15", () => {
    expect(etaRange("2026-07-01T08:09:59Z")).toEqual({
      from: "2026-07-01T08:05:00.000Z",
      to: "2026-07-01T08:20:00.000Z",
    });
  });

  it("X-633 writes dates and times of day", () => {
    expect(scenarioDateText("2026-07-01")).toBe("07/01/2026");
    expect(timeOfMinutes(-30)).toBe("23:30");
  });
});
