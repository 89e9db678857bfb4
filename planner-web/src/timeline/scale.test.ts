import type { Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { dropPosition, hoursOf, percentOf, spanOf } from "./scale.ts";

const moment = (time: string): string => `2026-07-01T${time}:00Z`;
const stop = (eta: string): Job => ({ run_id: 1, eta: moment(eta), etd: null, updated_eta: null }) as Job;

describe("time axis", () => {
  const run = { planned_start_time: moment("08:10"), planned_end_time: moment("15:50") } as Run;

  it("spans whole hours around all runs and stops", () => {
    const span = spanOf([run], [stop("16:20")], 0);
    expect(new Date(span.start).toISOString()).toContain("T08:00");
    expect(new Date(span.end).toISOString()).toContain("T17:00");
    expect(percentOf(Date.parse(moment("12:30")), span)).toBe(50);
    expect(hoursOf(span, 5)).toHaveLength(5);
  });

  it("holds the hour that it is where it is asked for (W-108)", () => {
    const now = Date.parse(moment("17:20"));
    const span = spanOf([run], [], now, now);
    expect(new Date(span.end).toISOString()).toContain("T18:00");
    expect(spanOf([run], [], now).end).toBeLessThan(now);
  });

  it("has a span without runs", () => {
    const span = spanOf([], [], Date.parse(moment("09:30")));
    expect(span.end).toBeGreaterThan(span.start);
  });

  it("drops before the first stop that comes later", () => {
    const stops = [stop("09:00"), stop("10:00")];
    expect(dropPosition(stops, Date.parse(moment("08:30")))).toBe(1);
    expect(dropPosition(stops, Date.parse(moment("09:30")))).toBe(2);
    expect(dropPosition(stops, Date.parse(moment("11:00")))).toBe(3);
  });
});
