import { type Job, texts } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { bulkProblems, bulkValues, NO_CHANGE } from "./bulk-values.ts";
import { groupsOfPlaces, mergeGroups } from "./merge-groups.ts";

const at = (id: number, lat: number, lon: number): Job =>
  ({ id, uid: `J${id}`, location: { address: "", lat, lon } }) as Job;

describe("many jobs at once", () => {
  it("P-414 merges the jobs of a place into the first of them, and leaves single ones alone", () => {
    const jobs = [at(1, 41.15, -8.61), at(2, 41.2, -8.6), at(3, 41.1501, -8.6101), at(4, 41.15, -8.61)];
    expect(mergeGroups(groupsOfPlaces(jobs))).toEqual([{ destination_id: 1, source_ids: [3, 4] }]);
    expect(groupsOfPlaces([at(1, 41.15, -8.61), at(2, 41.1504, -8.61)])).toEqual([]);
  });

  it("P-415 sends only what was filled in", () => {
    expect(bulkValues(NO_CHANGE)).toEqual({});
    const draft = { ...NO_CHANGE, duration: "7,5", leave_by: "5:30 pm", spec_type: "ambient, frozen" };
    expect(bulkValues({ ...draft, priority: "no" })).toEqual({
      duration: 7.5,
      leave_by: "17:30",
      spec_type: "ambient,frozen",
      priority: false,
    });
    expect(bulkValues({ ...draft, no_window: true })).toMatchObject({ arrive_after: null, leave_by: null });
  });

  it("P-415 names what is wrong with a value", () => {
    expect(bulkProblems({ ...NO_CHANGE, duration: "0", arrive_after: "noon" })).toEqual({
      duration: "Value must be above 0",
      arrive_after: texts.checks.time,
    });
    expect(Object.keys(bulkProblems({ ...NO_CHANGE, arrive_after: "15:00", leave_by: "9:00" }))).toEqual([
      "arrive_after",
      "leave_by",
    ]);
    expect(bulkProblems({ ...NO_CHANGE, arrive_after: "noon", no_window: true })).toEqual({});
  });
});
