import { describe, expect, it } from "vitest";
import { tilesOf } from "./run-places.ts";

const porto = { lat: 41.14961, lon: -8.61099 };
const nearby = { lat: 41.1497, lon: -8.6111 };

describe("tiles of a run", () => {
  it("are those of the slippy map, each once, from the whole town down to the street", () => {
    expect(tilesOf([porto, nearby], [10, 14], 9)).toEqual([
      [10, 487, 383],
      [14, 7800, 6133],
    ]);
  });

  it("stay within the world and within the bound", () => {
    const ends = [
      { lat: 89.9, lon: 180 },
      { lat: -89.9, lon: -180 },
    ];
    expect(tilesOf(ends, [2], 9)).toEqual([
      [2, 3, 0],
      [2, 0, 3],
    ]);
    expect(tilesOf(ends, [2, 3, 4], 3)).toHaveLength(3);
  });
});
