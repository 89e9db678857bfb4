import type { Job } from "@routewright/web";
import { expect, it } from "vitest";
import { jobsOnMap, passes, unservedGroups } from "./filter.ts";
import { Problems } from "./problems.ts";
import type { JobFilter } from "./selection.ts";

const job = (run_id: number | null, unserved_reason: string | null): Job =>
  ({ id: 1, run_id, unserved_reason }) as Job;

it("W-116: unserved jobs are grouped by their reason, and each group can be looked at alone", () => {
  const jobs = [job(null, "capacity"), job(null, null), job(null, "shift"), job(null, "capacity")];
  const groups = unservedGroups(jobs);
  expect(groups.map(({ text, count }) => [text, count])).toEqual([
    ["No capacity left", 2],
    ["Not planned yet", 1],
    ["Outside every shift", 1],
  ]);
  const nothing = new Problems([]);
  const shown = groups.map(({ filter }) => jobs.filter((one) => passes(one, filter, nothing)).length);
  expect(shown).toEqual([2, 1, 1]);
  expect(passes(job(3, "capacity"), "unserved:capacity", nothing)).toBe(false);
});

it("W-116: the map shows the jobs that the filter lets through, of the runs that are shown", () => {
  const jobs = [job(3, null), job(4, null), job(null, "capacity"), job(null, "shift")];
  const nothing = new Problems([]);
  const shown = (filter: JobFilter, hidden: number[] = []) =>
    jobsOnMap(jobs, new Set(hidden), filter, nothing).map((one) => jobs.indexOf(one));
  expect(shown("all")).toEqual([0, 1, 2, 3]);
  expect(shown("unserved")).toEqual([2, 3]);
  expect(shown("unserved:shift")).toEqual([3]);
  expect(shown("served", [3])).toEqual([1]);
  expect(shown("all", [3, 4])).toEqual([2, 3]);
});
