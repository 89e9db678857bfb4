import { describe, expect, it } from "vitest";
import { inside } from "./outline.ts";

describe("W-014 a line drawn around jobs", () => {
  const bay = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 10 },
    { x: 5, y: 5 },
    { x: 0, y: 10 },
  ];

  it.each([
    [5, 2, true],
    [1, 8, true],
    [5, 8, false],
    [11, 5, false],
    [-1, 5, false],
  ])("has %s, %s inside: %s", (x, y, within) => expect(inside({ x, y }, bay)).toBe(within));
});
