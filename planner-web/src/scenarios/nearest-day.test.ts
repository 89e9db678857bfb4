import type { Scenario } from "@routewright/web";
import { expect, it } from "vitest";
import { nearestDay } from "./nearest-day.ts";

const on = (id: number, scheduled_date: string): Scenario => ({ id, scheduled_date }) as Scenario;
const deleted = { scheduled_date: "2026-11-24" };

it("W-017: after a scenario is deleted the nearest day opens, not the newest made", () => {
  const friday = on(9, "2026-12-18");
  const before = on(1, "2026-11-23");
  expect(nearestDay(deleted, [friday, before])).toBe(before);
  const after = on(2, "2026-11-25");
  expect(nearestDay(deleted, [friday, before, after])).toBe(after);
  const same = on(3, "2026-11-24");
  expect(nearestDay(deleted, [friday, before, same, after, on(0, "2026-11-24")])).toBe(same);
  expect(nearestDay(deleted, [])).toBeUndefined();
});
