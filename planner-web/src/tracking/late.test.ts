import type { Job } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { newlyLate } from "./late.ts";

describe("late jobs", () => {
  const eta = "2026-07-01T10:00:00Z";
  const job = (id: number, updated: string | null, visited = false): Job =>
    ({ id, uid: `J-${id}`, eta, updated_eta: updated, visited }) as Job;
  const at = (minute: number): string => new Date(Date.parse(eta) + minute * 60_000).toISOString();

  it("A-493 S-25 are told once, when they reach the threshold of 60 minutes", () => {
    const before = [job(1, at(59)), job(2, at(61)), job(3, null, true), job(4, null)];
    const changes = [job(1, at(60)), job(2, at(75)), job(3, at(90)), job(4, at(59)), job(9, at(90))];
    expect(newlyLate(before, changes, 60)).toEqual([{ uid: "J-1", minutes: 60 }]);
  });
});
