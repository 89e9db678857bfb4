import { describe, expect, it } from "vitest";
import { isFresh, withGisToken } from "./gis-token.ts";

describe("GIS token", () => {
  it("A-492 R-15 is fetched anew from two minutes before its end", () => {
    const now = Date.parse("2026-07-01T10:00:00Z");
    expect(isFresh("2026-07-01T10:02:01Z", now)).toBe(true);
    expect(isFresh("2026-07-01T10:02:00Z", now)).toBe(false);
    expect(isFresh("2026-07-01T09:59:00Z", now)).toBe(false);
  });

  it("L-06 is not asked for by styles without a place for it", async () => {
    await expect(withGisToken("/api/tiles/streets.pmtiles")).resolves.toBe("/api/tiles/streets.pmtiles");
  });
});
