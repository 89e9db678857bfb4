import type { Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { type PlanChanges, withChanges } from "./changes.ts";

const job = (id: number, part: Partial<Job> = {}): Job => ({ id, uid: `J${id}`, ...part }) as Job;
const run = (id: number, part: Partial<Run> = {}): Run => ({ id, uid: `R${id}`, ...part }) as Run;
const nothing: PlanChanges = {
  version: 2,
  reload: false,
  changes: [],
  jobs: [],
  runs: [],
  removed_job_ids: [],
  removed_run_ids: [],
  items: false,
  scenario: false,
};

describe("a plan that follows (W-001)", () => {
  it("takes whole rows, in the order of the lists, and lets go what is gone", () => {
    const plan = { jobs: [job(1), job(2), job(3)], runs: [run(1), run(4)] };
    const next = withChanges(plan, {
      ...nothing,
      jobs: [job(5), job(2, { run_id: 4 }), job(6)],
      runs: [run(2), run(4, { distance: 9 })],
      removed_job_ids: [3],
      removed_run_ids: [1],
    });
    expect(next.jobs.map(({ id }) => id)).toEqual([1, 2, 5, 6]);
    expect(next.jobs[1]?.run_id).toBe(4);
    expect(next.runs.map(({ id, distance }) => [id, distance])).toEqual([
      [2, undefined],
      [4, 9],
    ]);
  });

  it("is the same when the same change comes twice", () => {
    const changes = { ...nothing, jobs: [job(2), job(7)], removed_job_ids: [1] };
    const once = withChanges({ jobs: [job(1), job(2)], runs: [] }, changes);
    expect(withChanges(once, changes)).toEqual(once);
  });
});
