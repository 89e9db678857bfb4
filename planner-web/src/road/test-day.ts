import type { Job, Run } from "@routewright/web";

/** A moment of the hand-made day. */
export const at = (time: string): string => `2026-07-01T${time}:00Z`;
export const ms = (time: string): number => Date.parse(at(time));

/** A run of a hand-made day for tests: it should leave at 08:00. */
export function run(part: Partial<Run> = {}): Run {
  return {
    id: 1,
    uid: "R1",
    capacity: "",
    spec_type: null,
    status: part.actual_start_time == null ? "pending" : "driving",
    dispatched: true,
    scenario: { scheduled_date: "2026-07-01" },
    driver: { phone_number: "+351220000001" },
    shift_start: "06:00",
    shift_end: "20:00",
    start_location: null,
    route_end: "anywhere",
    end_location: null,
    route: null,
    roads_source: "streets",
    lunch_time: null,
    lunch_latest_start: null,
    lunch_duration: 0,
    planned_start_time: at("08:00"),
    planned_end_time: at("18:00"),
    actual_start_time: null,
    actual_end_time: null,
    validated_at: null,
    phone_number: null,
    ...part,
  } as unknown as Run;
}

/** Its n-th stop, a kilometre north of the one before: 20 minutes of way and 10 of service, so at 08:20, 08:50, 09:20. */
export function stop(n: number, part: Partial<Job> = {}): Job {
  const minutes = 480 + n * 30;
  const clock = (of: number): string =>
    at(`${String(Math.floor(of / 60)).padStart(2, "0")}:${String(of % 60).padStart(2, "0")}`);
  return {
    id: n,
    uid: `J${n}`,
    run_id: 1,
    seq: n,
    timezone: "UTC",
    customer_name: null,
    location: { address: "Rua 1", lat: 41 + n * 0.009, lon: -8 },
    duration: 10,
    eta: clock(minutes - 10),
    etd: clock(minutes),
    updated_eta: null,
    wait_seconds: 0,
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

/** The same once it was visited. */
export function made(n: number, time: string, part: Partial<Job> = {}): Job {
  return stop(n, { visited: true, successful: true, proof_time: at(time), ...part });
}
