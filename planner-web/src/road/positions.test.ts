import type { GpsPoint } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { leavesGap, newestId, tracksOf, withNewest, withPosition } from "./positions.ts";
import { at } from "./test-day.ts";

const point = (run: number, time: string): GpsPoint =>
  ({ run_id: run, lat: 41, lon: -8, recorded_at: at(time) }) as GpsPoint;
const times = (list: readonly GpsPoint[] | undefined): string[] =>
  (list ?? []).map(({ recorded_at: time }) => time.slice(11, 16));

describe("positions of runs", () => {
  it("stand in the order of their times, however they came, each once", () => {
    const tracks = tracksOf([point(1, "08:10"), point(2, "08:00"), point(1, "08:00")]);
    expect(times(tracks.get(1))).toEqual(["08:00", "08:10"]);
    const more = withPosition(tracks, point(1, "08:05"));
    expect(times(more.get(1))).toEqual(["08:00", "08:05", "08:10"]);
    expect(withPosition(more, point(1, "08:05"))).toBe(more);
    // What did not change is not looked at again.
    expect(more.get(2)).toBe(tracks.get(2));
  });

  it("issue 13.4: are asked for since the newest that was loaded; those of the socket have no number", () => {
    const loaded = tracksOf([
      { ...point(1, "08:10"), id: 7 },
      { ...point(2, "08:00"), id: 9 },
    ]);
    expect(newestId(loaded)).toBe(9);
    expect(newestId(withPosition(loaded, point(1, "08:20")))).toBe(9);
    expect(newestId(tracksOf([point(1, "08:00")]))).toBeNull();
  });

  it("are kept for hours, not for the day", () => {
    const tracks = withPosition(tracksOf([point(1, "06:00"), point(1, "09:00")]), point(1, "10:00"));
    expect(times(tracks.get(1))).toEqual(["09:00", "10:00"]);
  });

  it("are asked for again where some are missing, as after a tunnel", () => {
    const tracks = tracksOf([point(1, "09:00")]);
    expect(leavesGap(tracks, point(1, "09:02"))).toBe(false);
    expect(leavesGap(tracks, point(1, "09:20"))).toBe(true);
    expect(leavesGap(tracks, point(1, "08:30"))).toBe(false);
    expect(leavesGap(tracks, point(2, "09:20"))).toBe(false);
  });

  it("show the newest, also when an older one comes late", () => {
    const latest = withNewest([point(1, "09:00"), point(2, "08:00")], point(1, "08:30"));
    expect(times(latest)).toEqual(["09:00", "08:00"]);
    expect(times(withNewest(latest, point(1, "09:30")))).toEqual(["08:00", "09:30"]);
  });
});
