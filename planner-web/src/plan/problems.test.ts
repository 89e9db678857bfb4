import type { Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { expectedEnd, lateMinutes, minutesText, overtimeMinutes } from "./lateness.ts";
import { Links } from "./links.ts";
import { loadsOf, type LoadTerms } from "./load.ts";
import { problemsOf, type ProblemTerms } from "./problems.ts";

const at = (time: string): string => `2026-11-23T${time}:00Z`;

function job(id: number, part: Partial<Job> = {}): Job {
  const blank = {
    id,
    uid: `J${id}`,
    run_id: 1,
    seq: id,
    timezone: "Europe/Lisbon",
    location: { address: "Rua das Flores 1", lat: 41, lon: -8 },
    duration: 5,
    arrive_after: null,
    leave_by: null,
    size: null,
    spec_type: null,
    pickup_from: null,
    deliver_to: null,
    eta: at("10:00"),
    updated_eta: null,
    visited: false,
    unserved_reason: null,
  };
  return { ...(blank as Partial<Job>), ...part } as Job;
}

function run(id: number, part: Partial<Run> = {}): Run {
  const blank = {
    id,
    uid: `Run ${id}`,
    scenario: { id: 1, name: "Monday", scheduled_date: "2026-11-23", stage: "routing" },
    shift_start: "09:00",
    shift_end: "17:00",
    planned_start_time: at("09:00"),
    planned_end_time: at("16:00"),
    actual_end_time: null,
    capacity: "0",
    spec_type: null,
    preferred_method: "qr_code",
    dispatched: false,
    status: "pending",
    driver: { email: null, phone_number: null },
    email: null,
    phone_number: null,
  };
  return { ...(blank as unknown as Partial<Run>), ...part } as Run;
}

const terms: ProblemTerms = { mode: "sum", zeroIsUnlimited: true, zone: "Europe/Lisbon" };

const kinds = (jobs: Job[], runs: Run[]): string[] =>
  problemsOf({ jobs, runs }, terms).all.map(({ kind, text }) => `${kind}: ${text}`);

/** W-101: late is late against the window and the shift, not against the plan. */
describe("lateness", () => {
  it("is counted from the end of the window, also when it was planned so", () => {
    const late = job(1, { eta: at("14:37"), leave_by: "14:15" });
    expect(lateMinutes(late, run(1))).toBe(22);
    expect(kinds([late], [run(1)])).toEqual(["late: 14:37, 22 min after 14:15"]);
    expect(lateMinutes(job(1, { eta: at("14:15"), leave_by: "14:15" }), run(1))).toBe(0);
    expect(lateMinutes(job(1, { eta: "2026-11-23T14:15:20Z", leave_by: "14:15" }), run(1))).toBe(1);
  });

  it("follows the updated estimate of a running day, and ends with the visit", () => {
    const part = { eta: at("14:00"), updated_eta: at("15:25"), leave_by: "14:15" };
    expect(lateMinutes(job(1, part), run(1))).toBe(70);
    expect(minutesText(70)).toBe("1 h 10 min");
    expect(lateMinutes(job(1, { ...part, visited: true }), run(1))).toBe(0);
    expect(lateMinutes(job(1, { ...part, updated_eta: at("14:05") }), run(1))).toBe(0);
  });

  it("knows the clock of the job's zone and the day of the plan", () => {
    const tokyo = job(1, { timezone: "Asia/Tokyo", eta: at("03:30"), leave_by: "12:00" });
    expect(lateMinutes(tokyo, run(1))).toBe(30);
    // Behind midnight is late, not early.
    expect(lateMinutes(job(1, { eta: "2026-11-24T00:10:00Z", leave_by: "18:00" }), run(1))).toBe(370);
    // On a night shift a window of the morning is the next morning's.
    const night = run(1, { shift_start: "20:00", shift_end: "06:00" });
    expect(lateMinutes(job(1, { eta: "2026-11-24T04:30:00Z", leave_by: "05:00" }), night)).toBe(0);
    expect(lateMinutes(job(1, { eta: "2026-11-24T05:30:00Z", leave_by: "05:00" }), night)).toBe(30);
  });

  it("moves the end of a run as its last open stop moves, and holds it against the shift", () => {
    const stops = [job(1, { visited: true }), job(2, { eta: at("15:30"), updated_eta: at("17:10") })];
    expect(expectedEnd(run(1), stops)).toBe("2026-11-23T17:40:00.000Z");
    expect(overtimeMinutes(run(1), stops, "Europe/Lisbon")).toBe(40);
    expect(overtimeMinutes(run(1), [job(1)], "Europe/Lisbon")).toBe(0);
    expect(overtimeMinutes(run(1, { status: "closed" }), stops, "Europe/Lisbon")).toBe(0);
    expect(kinds(stops, [run(1)])).toEqual(["outside_shift: ends 17:40, 40 min after 17:00"]);
  });
});

/** W-107: load is counted as the optimiser counts it. */
describe("load", () => {
  const loads = (capacity: string, sizes: (string | null)[], mode: LoadTerms["mode"] = "sum") => {
    const stops = sizes.map((size, index) => job(index + 1, { size }));
    return loadsOf(run(1, { capacity }), stops, { ...terms, mode }, new Links(stops));
  };

  it("is the sum of what counts, against the layout that it fits best", () => {
    expect(loads("boxes:70", ["boxes:40", "boxes:36", null])).toEqual([
      { key: "boxes", value: 76, limit: 70 },
    ]);
    expect(loads("0", ["5"])).toEqual([]);
    expect(loads("5", ["2", "pallets:9"])).toEqual([{ key: "size", value: 2, limit: 5 }]);
    expect(loads("pallets:2|boxes:100", ["pallets:3|boxes:30"])).toEqual([
      { key: "boxes", value: 0, limit: 100 },
    ]);
    expect(loads("weight:1", ["weight:0.1", "weight:0.2"])).toEqual([
      { key: "weight", value: 0.3, limit: 1 },
    ]);
  });

  it("tells an overloaded run", () => {
    const jobs = [job(1, { size: "boxes:40" }), job(2, { size: "boxes:36" })];
    expect(kinds(jobs, [run(1, { capacity: "boxes:70" })])).toEqual(["capacity: 76 of 70 boxes"]);
  });

  it("counts what is on board at once where the organisation does", () => {
    const linked = [
      job(1, { size: "3" }),
      job(2, { size: "4", deliver_to: "J3" }),
      job(3, { size: "4" }),
      job(4, { size: "4", deliver_to: "J5" }),
      job(5, { size: "4" }),
    ];
    const onBoard: LoadTerms = { ...terms, mode: "on_board" };
    expect(loadsOf(run(1, { capacity: "9" }), linked, onBoard, new Links(linked))).toEqual([
      { key: "size", value: 4, limit: 9 },
    ]);
    const together = [linked[1], linked[3], linked[0], linked[2], linked[4]].flatMap((stop) => stop ?? []);
    expect(loadsOf(run(1, { capacity: "9" }), together, onBoard, new Links(linked))[0]?.value).toBe(11);
  });
});

it("W-101 names wrong types, broken links, missing addresses and contacts, and the unserved with their reason", () => {
  const jobs = [
    job(1, { spec_type: "Fridge", location: { address: " ", lat: 41, lon: -8 } }),
    job(2, { pickup_from: "J3", deliver_to: "GONE" }),
    job(3),
    job(4, { deliver_to: "J5" }),
    job(5, { run_id: 2, seq: 1 }),
    job(6, { run_id: null, seq: null, eta: null, unserved_reason: "capacity" }),
  ];
  const runs = [run(1, { spec_type: "van", preferred_method: "email" }), run(2)];
  expect(kinds(jobs, runs)).toEqual([
    "no_contact: has no email address to send the run sheet to",
    "type_mismatch: needs fridge, Run 1 serves van",
    "no_address: has no address",
    "link: is visited before its pickup J3",
    "link: its linked job GONE is not in this plan",
    "link: its linked job J5 is on Run 2",
    "unserved: No capacity left",
  ]);
  const problems = problemsOf({ jobs, runs }, terms);
  expect(problems.ofRun(1)).toHaveLength(6);
  expect(problems.ofJob(2).map(({ kind }) => kind)).toEqual(["link", "link"]);
  expect(problems.has(6, "unserved")).toBe(true);
});
