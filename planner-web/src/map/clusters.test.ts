import { describe, expect, it } from "vitest";
import { clustersAt, NEAREST_ZOOM, spread, TOWN_ZOOM } from "./clusters.ts";

describe("jobs that are drawn together (W-095)", () => {
  it("are those within the setting's radius from afar, and those that hide one another nearby", () => {
    expect(clustersAt(9.4, 40, 8)).toEqual({ clusterRadius: 40, clusterMaxZoom: TOWN_ZOOM });
    expect(clustersAt(11.9, 40, 8).clusterRadius).toBe(40);
    for (const zoom of [12, 15, 18, 22]) {
      expect(clustersAt(zoom, 40, 8)).toEqual({ clusterRadius: 12, clusterMaxZoom: NEAREST_ZOOM });
    }
    expect(clustersAt(14, 5, 12).clusterRadius).toBe(5);
  });

  it("are spread around their place when they are marked, others stay where they are", () => {
    const at = (id: number, lat: number): { id: number; location: { lat: number; lon: number } } => ({
      id,
      location: { lat, lon: -8.61 },
    });
    const shifts = spread([at(1, 41.15), at(2, 41.16), at(3, 41.15), at(4, 41.15)]);
    expect([...shifts.keys()].sort()).toEqual([1, 3, 4]);
    expect(shifts.get(1)).toEqual({ x: 0, y: -22 });
    const many = [...spread(Array.from({ length: 40 }, (_, id) => at(id, 41.15))).values()];
    const near = many.filter(({ x, y }, index) =>
      many.some((other, at) => at !== index && Math.hypot(other.x - x, other.y - y) < 26),
    );
    expect(near).toEqual([]);
  });
});
