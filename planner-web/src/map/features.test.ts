import type { Territory } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { territoryFeatures } from "./features.ts";

describe("territories on the map", () => {
  it("A-140 have one name each, in the middle of their largest part", () => {
    const square = (west: number, side: number): number[][] => [
      [west, 0],
      [west + side, 0],
      [west + side, side],
      [west, side],
      [west, 0],
    ];
    const geometry = { type: "MultiPolygon", coordinates: [[square(10, 1)], [square(0, 4)]] };
    const territory = { id: 7, name: "North", colour: null, geometry } as Territory;
    const points = territoryFeatures([territory]).features.filter(
      ({ geometry: { type } }) => type === "Point",
    );
    expect(points).toHaveLength(1);
    expect(points[0]).toMatchObject({
      geometry: { coordinates: [2, 2] },
      properties: { id: 7, name: "North" },
    });
  });
});
