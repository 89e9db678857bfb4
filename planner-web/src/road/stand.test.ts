import { describe, expect, it } from "vitest";
import { ms } from "./test-day.ts";
import { metresBetween, metresToWay } from "./geo.ts";
import { standOf } from "./stand.ts";

/** A position per minute from 08:00 on, metres to the north. */
const track = (metres: readonly number[]) =>
  metres.map((north, minute) => ({
    lat: 41 + north / 111_195,
    lon: -8,
    recorded_at: new Date(ms("08:00") + minute * 60_000).toISOString(),
  }));

describe("where a vehicle stands", () => {
  it("is told from the first position of those that lie together", () => {
    const stand = standOf(track([0, 2000, 4000, 4010, 4020, 3990]), ms("08:06"));
    expect(stand?.since).toBe(ms("08:02"));
    expect(stand?.until).toBe(ms("08:06"));
    expect(standOf(track([0, 800, 1600]), ms("08:03"))).toBeNull();
    expect(standOf(track([0]), ms("08:03"))).toBeNull();
  });

  it("does not wobble: noise of the device and a single wrong position end nothing", () => {
    const noise = [0, 60, -50, 80, -70, 40, 900, 10, -60, 70, 1200];
    for (let length = 2; length <= noise.length; length += 1) {
      const found = standOf(track(noise.slice(0, length)), ms("08:30"));
      expect(found?.since, `${length} positions`).toBe(ms("08:00"));
    }
    expect(standOf(track([...noise, 2400]), ms("08:12"))).toBeNull();
  });

  it("is known until the last position, where that is old", () => {
    expect(standOf(track([0, 0, 0]), ms("09:00"))?.until).toBe(ms("08:02"));
  });

  it("measures in metres", () => {
    const [porto, gaia] = [
      { lat: 41.1496, lon: -8.611 },
      { lat: 41.1336, lon: -8.6174 },
    ];
    expect(metresBetween(porto, gaia)).toBeCloseTo(1857, -2);
    const way = [
      { lat: 41, lon: -8 },
      { lat: 41, lon: -7.9 },
    ];
    expect(metresToWay({ lat: 41.009, lon: -7.95 }, way)).toBeCloseTo(1000.8, 0);
    expect(metresToWay({ lat: 41, lon: -8.01 }, way)).toBeCloseTo(839, 0);
    expect(metresToWay(porto, [])).toBe(Infinity);
  });
});
