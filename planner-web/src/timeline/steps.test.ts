import type { Job } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { stepFrom } from "./steps.ts";

const stop = (id: number, time: string | null): Job =>
  ({ id, eta: time === null ? null : `2026-07-01T${time}:00Z` }) as Job;

describe("W-014 P-128 arrow keys in the timeline", () => {
  const rows = [
    [stop(1, "08:00"), stop(2, "09:00"), stop(3, "10:00")],
    [],
    [stop(4, "08:10"), stop(5, "09:50")],
    [stop(6, null), stop(7, null)],
  ];
  const to = (id: number, step: Parameters<typeof stepFrom>[2]): number | undefined =>
    stepFrom(rows, id, step)?.job.id;

  it("go along the row and stop at its ends", () => {
    expect(to(1, "right")).toBe(2);
    expect(to(2, "left")).toBe(1);
    expect(to(1, "left")).toBeUndefined();
    expect(to(3, "right")).toBeUndefined();
    expect(to(3, "home")).toBe(1);
    expect(to(1, "end")).toBe(3);
  });

  it("go to the stop of the next row that is nearest in time, past empty runs, and on to the unserved jobs", () => {
    expect(to(3, "down")).toBe(5);
    expect(to(4, "up")).toBe(1);
    expect(to(5, "down")).toBe(7);
    expect(to(1, "page-down")).toBe(6);
    expect(to(6, "page-up")).toBe(1);
    expect(to(1, "up")).toBeUndefined();
    expect(to(99, "down")).toBeUndefined();
  });
});
