import type { Feature } from "geojson";
import { describe, expect, it } from "vitest";
import { changeOf } from "./feature-change.ts";

const point = (id?: number): Feature => ({
  type: "Feature",
  ...(id === undefined ? {} : { id }),
  geometry: { type: "Point", coordinates: [0, 0] },
  properties: {},
});

describe("W-102 what the map is told when a plan changes", () => {
  const before = Array.from({ length: 20 }, (_, index) => point(index + 1));

  it("is what is new and what is gone", () => {
    const [changed, made] = [point(2), point(21)];
    const after = [before[0], changed, ...before.slice(3), made].filter((feature) => feature !== undefined);
    expect(changeOf(before, after)).toEqual({ add: [changed, made], remove: [3] });
    expect(changeOf(before, [...before])).toEqual({ add: [], remove: [] });
  });

  it("is everything where most is new, or where features cannot be told apart", () => {
    expect(changeOf([], before)).toBeNull();
    expect(changeOf(before, [...before, point()])).toBeNull();
    expect(changeOf(before, [...before, point(1)])).toBeNull();
  });
});
