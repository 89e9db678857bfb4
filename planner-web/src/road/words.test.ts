import { expect, it } from "vitest";
import { at, ms } from "./test-day.ts";
import { expectedText, staleText } from "./words.ts";

it("an expected time has its range, unless it is known", () => {
  const expected = { at: ms("10:34"), from: ms("10:20"), to: ms("10:48") };
  expect(expectedText(expected, "UTC")).toBe("10:34 (10:20–10:48)");
  expect(expectedText({ at: ms("10:00"), from: ms("10:00"), to: ms("10:00") }, "UTC")).toBe("10:00");
});

it("a position is told to be old, minute by minute, once it no longer tells where the vehicle is", () => {
  const point = { recorded_at: at("10:00") };
  expect(staleText(point, ms("10:05"))).toBe("");
  expect(staleText(point, ms("10:14"))).toBe("position 14 min old");
  expect(staleText(undefined, ms("10:14"))).toBe("");
});
