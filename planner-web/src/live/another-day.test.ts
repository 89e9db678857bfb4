import { type AuthUser, type Scenario, useSession } from "@routewright/web";
import { answering } from "@routewright/web/testing/answers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys } from "../plan/keys.ts";
import { cachedPlan } from "../plan/queries.ts";
import { run, stop } from "../road/test-day.ts";
import { queryClient } from "../ui/query-client.ts";
import { moveToDay } from "./another-day.ts";

const job = { ...stop(1), scenario_id: 1 };
const tomorrow = { id: 2, name: "Tuesday", scheduled_date: "2026-07-02" } as Scenario;
const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["runs_read", "runs_write", "jobs_read", "jobs_write"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;

beforeEach(() => {
  useSession.setState({ status: "signed_in", user, token: "token" });
  queryClient.setQueryData(keys.jobs(1), [job, stop(2)]);
  queryClient.setQueryData(keys.runs(1), [run()]);
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const left = (): number[] => cachedPlan(1).jobs.map(({ id }) => id);

it("issue 13.3: a job goes to another day with its reason, in one call", async () => {
  const calls = answering({ "PUT /jobs/move_to_day": { job_ids: [1], updated_runs: [] } });
  expect(await moveToDay(job, tomorrow, 7)).toBe(true);
  const sent = calls.filter(({ method }) => method === "PUT").map(({ body }) => body);
  expect(sent).toEqual([{ job_ids: [1], scenario_id: 2, scenario_reason_id: 7 }]);
  expect(left()).toEqual([2]);
});

it("issue 13.3: what cannot go to that day stays where it is", async () => {
  const calls = answering({});
  expect(await moveToDay(job, tomorrow, null)).toBe(false);
  expect(left()).toEqual([1, 2]);
  expect(calls.filter(({ method }) => method === "PUT")).toHaveLength(1);
});
