import { expect, it } from "vitest";
import { bestOfDay } from "./todays-plan.ts";

const plan = (id: number, jobs_count: number, stage: "planning" | "tracking" = "planning") => ({
  id,
  jobs_count,
  stage,
});

it("Live opens the plan of today that is driven, unless another of today was open", () => {
  const plans = [plan(1, 0), plan(2, 40), plan(3, 20, "tracking"), plan(4, 0, "tracking")];
  expect(bestOfDay(plans, null)?.id).toBe(3);
  expect(bestOfDay(plans, 2)?.id).toBe(2);
  // One without jobs has nothing to show.
  expect(bestOfDay(plans, 1)?.id).toBe(3);
  expect(bestOfDay(plans, 99)?.id).toBe(3);
  expect(bestOfDay([plan(1, 0), plan(2, 0)], null)?.id).toBe(2);
  expect(bestOfDay([], 1)).toBeUndefined();
});
