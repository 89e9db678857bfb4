import type { Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { byUid, unservedOf, withAnswer } from "./plan.ts";

const run = (id: number, uid: string): Run => ({ id, uid, jobs: [] }) as unknown as Run;

describe("the lists of a plan W-116", () => {
  it("are in the order in which people count", () => {
    const names = ["11", "Run 10", "2", "run 9", "1", "10", "Run 1"];
    expect(
      names
        .map((uid) => ({ uid }))
        .sort(byUid)
        .map(({ uid }) => uid),
    ).toEqual(["1", "2", "10", "11", "Run 1", "run 9", "Run 10"]);
  });

  it("keep that order when an answer brings further runs", () => {
    const plan = { jobs: [], runs: [run(1, "Driver 1"), run(3, "Driver 10")] };
    const after = withAnswer(plan, [run(4, "Driver 11"), run(2, "Driver 2")]);
    expect(after.runs.map(({ uid }) => uid)).toEqual(["Driver 1", "Driver 2", "Driver 10", "Driver 11"]);
  });

  it("have every unserved job, however many there are", () => {
    const jobs = Array.from({ length: 500 }, (_, id) => ({ id, run_id: id < 200 ? null : 1 }) as Job);
    expect(unservedOf(jobs).length).toBe(200);
  });
});
