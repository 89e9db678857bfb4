import type { Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { problemsOf } from "../plan/problems.ts";
import { exceptionsOf } from "./exceptions.ts";

const at = (time: string): string => `2026-07-01T${time}:00Z`;
const terms = { mode: "sum", zeroIsUnlimited: true, zone: "UTC" } as const;
const run = {
  id: 1,
  uid: "R1",
  capacity: "",
  spec_type: null,
  status: "driving",
  dispatched: true,
  scenario: { scheduled_date: "2026-07-01" },
  driver: {},
  shift_start: "06:00",
  shift_end: "20:00",
  planned_start_time: at("08:00"),
  planned_end_time: at("18:00"),
  actual_end_time: null,
} as unknown as Run;

function job(id: number, part: Partial<Job>): Job {
  return {
    id,
    uid: `J${id}`,
    run_id: 1,
    seq: id,
    timezone: "UTC",
    location: { address: "Rua 1", lat: 41, lon: -8 },
    eta: at("09:00"),
    etd: at("09:10"),
    updated_eta: null,
    arrive_after: null,
    leave_by: null,
    visited: false,
    successful: false,
    proof_time: null,
    size: null,
    spec_type: null,
    pickup_from: null,
    deliver_to: null,
    unserved_reason: null,
    ...part,
  } as Job;
}

function found(jobs: Job[], now: string | null): string[] {
  const plan = { jobs, runs: [run] };
  const moment = now === null ? null : Date.parse(at(now));
  return exceptionsOf(plan, problemsOf(plan, terms), moment).map(
    ({ kind, jobId, text }) => `${kind} ${jobId}: ${text}`,
  );
}

describe("exceptions of a day that runs (W-108)", () => {
  it("come first where they are latest, then failed visits, the newest first, then other problems", () => {
    const jobs = [
      job(1, { leave_by: "08:30", eta: at("09:00") }),
      job(2, { leave_by: "10:00", updated_eta: at("11:05") }),
      job(3, { visited: true, proof_time: at("09:40") }),
      job(4, { visited: true, proof_time: at("10:20") }),
      job(5, { visited: true, successful: true, proof_time: at("10:30") }),
      job(6, { run_id: null, seq: null, eta: null }),
    ];
    expect(found(jobs, null)).toEqual([
      "late 2: 11:05, 1 h 05 min after 10:00",
      "late 1: 09:00, 30 min after 08:30",
      "unsuccessful 4: visited without success",
      "unsuccessful 3: visited without success",
      "problem 6: Unserved: is on no run",
    ]);
  });

  it("tell today of a stop that nobody has been at when its window closed", () => {
    const open = job(1, { leave_by: "10:00", eta: at("09:00") });
    expect(found([open], "09:59")).toEqual([]);
    expect(found([open], "10:20")).toEqual(["late 1: still open, 20 min after 10:00"]);
    expect(found([{ ...open, visited: true, successful: true }], "10:20")).toEqual([]);
    // On another day the estimate alone is told.
    expect(found([open], null)).toEqual([]);
  });
});
