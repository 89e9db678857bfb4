import type { TerritoryGeometry } from "@routewright/web";
import { describe, expect, it } from "vitest";
import {
  contains,
  cornersText,
  geometryOf,
  parseCorners,
  partsOf,
  type Ring,
  splitGeometry,
} from "./geometry.ts";

const square = (west: number, south: number, side: number): Ring => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
const at = (lat: number, lon: number): { lat: number; lon: number } => ({ lat, lon });

describe("territory shapes", () => {
  const withHole = geometryOf([[square(-9, 41, 1), square(-8.6, 41.4, 0.2)], [square(-7, 41, 0.5)]]);

  it("A-212 S-20 corners survive the way through their text, with holes and several parts", () => {
    const text = cornersText(withHole);
    expect(text.split("\n")[0]).toBe("41, -9");
    expect(parseCorners(text)).toEqual({ geometry: withHole });
  });

  it("names the line that is no place, and shapes without area", () => {
    expect(parseCorners("41.1, -8.6\nhere")).toEqual({
      problem: "Line 2 is no place; write it as 41.15, -8.61",
    });
    expect(parseCorners("41.1, -8.6\n91, 0\n1, 1")).toEqual({ problem: "Line 2 is outside of the world" });
    expect(parseCorners("41.1, -8.6\n41.2, -8.6")).toEqual({
      problem: "A part needs at least three corners",
    });
    expect(parseCorners("")).toEqual({ problem: "A part needs at least three corners" });
  });

  it("P-070 S-20 a border belongs to its territory and a hole does not", () => {
    expect(contains(withHole, at(41.2, -8.8))).toBe(true);
    expect(contains(withHole, at(41, -8.5))).toBe(true);
    expect(contains(withHole, at(41.5, -8.5))).toBe(false);
    expect(contains(withHole, at(41.4, -8.5))).toBe(true);
    expect(contains(withHole, at(41.2, -6.8))).toBe(true);
    expect(contains(withHole, at(40.9, -8.5))).toBe(false);
  });

  it("S-20 a line cuts a territory in two that together are the whole", () => {
    const whole: TerritoryGeometry = { type: "Polygon", coordinates: [square(0, 0, 2)] };
    const halves = splitGeometry(whole, [1, -1], [1, 3]);
    expect(halves).not.toBeNull();
    const [left, right] = halves ?? [whole, whole];
    for (const [lat, lon] of [
      [0.5, 0.5],
      [1.5, 1.5],
      [0.1, 1.9],
    ] as const) {
      expect([contains(left, at(lat, lon)), contains(right, at(lat, lon))].filter(Boolean)).toHaveLength(1);
    }
    expect(partsOf(left)[0]?.[0]).toHaveLength(5);
    expect(splitGeometry(whole, [5, 0], [5, 1])).toBeNull();
    expect(splitGeometry(whole, [1, 1], [1, 1])).toBeNull();
  });
});
