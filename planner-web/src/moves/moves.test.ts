import type { Job, Move, MoveAnswer, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import type { Plan } from "../plan/plan.ts";
import { CycleError, moveLocally, withLinkedJobs } from "./move-locally.ts";
import { MoveQueue } from "./move-queue.ts";

function job(id: number, part: Partial<Job> = {}): Job {
  return {
    id,
    uid: `J${id}`,
    scenario_id: 1,
    organisation_id: 1,
    run_id: null,
    seq: null,
    tracking_token: "",
    timezone: "UTC",
    location: { address: "", lat: 0, lon: 0 },
    customer_name: null,
    customer_email: null,
    phone_number: null,
    duration: 5,
    arrive_after: null,
    leave_by: null,
    size: null,
    spec_type: null,
    priority: false,
    colour: "#34495e",
    comments: null,
    consignee_info: null,
    consignor_info: null,
    external_comments: null,
    dock_location: null,
    customer_instructions: null,
    customer_safe_place: null,
    invoice: null,
    reference: null,
    pickup_from: null,
    deliver_to: null,
    idm: false,
    extra_fields: {},
    tags: [],
    eta: null,
    etd: null,
    updated_eta: null,
    created: "2026-01-01T00:00:00Z",
    client_id: null,
    last_tracking_sent_at: null,
    modified: "2026-01-01T00:00:00Z",
    proof_time: null,
    returns_count: 0,
    successful: false,
    units_count: 0,
    unserved_reason: null,
    visited: false,
    wait_seconds: 0,
    ...part,
  };
}

const at = (time: string): string => `2026-07-01T${time}:00.000Z`;

/** A run with three stops of 5 minutes, 10 minutes of driving to each. */
function dayPlan(): Plan {
  const run = { id: 1, uid: "R1", total_driving_time: 1800, planned_start_time: at("08:00") } as Run;
  const other = { id: 2, uid: "R2", total_driving_time: 0, planned_start_time: at("09:00") } as Run;
  return {
    runs: [run, other],
    jobs: [
      job(1, { run_id: 1, seq: 1, eta: at("08:10"), etd: at("08:15") }),
      job(2, { run_id: 1, seq: 2, eta: at("08:25"), etd: at("08:30") }),
      job(3, { run_id: 1, seq: 3, eta: at("08:40"), etd: at("08:45") }),
      job(4),
    ],
  };
}

const sequence = (plan: Plan, runId: number): number[] =>
  plan.jobs
    .filter((item) => item.run_id === runId)
    .sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    .map(({ id }) => id);

const find = (plan: Plan, id: number): Job | undefined => plan.jobs.find((item) => item.id === id);
const to = (run_id: number | null, job_ids: number[], seq: number | null = null): Move => ({
  run_id,
  job_ids,
  seq,
  pool: false,
});

describe("moveLocally", () => {
  it("P-268 P-269 P-270 inserts a job and shifts the later ones by the average drive and the duration", () => {
    const plan = moveLocally(dayPlan(), to(1, [4], 2));
    expect(sequence(plan, 1)).toEqual([1, 4, 2, 3]);
    expect(find(plan, 1)?.eta).toBe(at("08:10"));
    expect(find(plan, 4)?.eta).toBe(at("08:25"));
    expect(find(plan, 2)?.eta).toBe(at("08:40"));
    expect(find(plan, 3)?.eta).toBe(at("08:55"));
  });

  it("P-271 never lets an ETA fall before arrive_after", () => {
    const plan = dayPlan();
    const waiting = {
      ...plan,
      jobs: plan.jobs.map((item) => (item.id === 4 ? { ...item, arrive_after: "09:30" } : item)),
    };
    const moved = moveLocally(waiting, to(1, [4], 2));
    expect(find(moved, 4)?.eta).toBe(at("09:30"));
    expect(find(moved, 2)?.eta).toBe(at("09:45"));
  });

  it("moves within a run in both directions", () => {
    expect(sequence(moveLocally(dayPlan(), to(1, [1], 3)), 1)).toEqual([2, 3, 1]);
    expect(sequence(moveLocally(dayPlan(), to(1, [3], 1)), 1)).toEqual([3, 1, 2]);
    expect(sequence(moveLocally(dayPlan(), to(1, [1])), 1)).toEqual([2, 3, 1]);
  });

  it("clears run and position of a job that becomes unserved, and closes the gap", () => {
    const plan = moveLocally(dayPlan(), to(null, [2]));
    expect(find(plan, 2)).toMatchObject({ run_id: null, seq: null, eta: null });
    expect(find(plan, 3)).toMatchObject({ seq: 2, eta: at("08:25") });
  });

  it("starts an empty run from its planned start", () => {
    const plan = moveLocally(dayPlan(), to(2, [4]));
    expect(find(plan, 4)).toMatchObject({ run_id: 2, seq: 1, eta: at("09:00") });
  });

  it("P-267 takes linked jobs along, the pickup first", () => {
    const plan = dayPlan();
    const linked = {
      ...plan,
      jobs: plan.jobs.map((item) => (item.id === 3 ? { ...item, deliver_to: "J2" } : item)),
    };
    expect(sequence(moveLocally(linked, to(2, [2])), 2)).toEqual([3, 2]);
  });

  it("names the chain of a cycle", () => {
    const jobs = [job(1, { pickup_from: "J2" }), job(2, { pickup_from: "J1" })];
    expect(() => withLinkedJobs(jobs, [1])).toThrow(CycleError);
    expect(() => withLinkedJobs(jobs, [1])).toThrow(
      "Job.pickup_from and Job.deliver_to relationships must not form a cycle: J1 -> J2 -> J1",
    );
  });
});

interface Sent {
  moves: readonly Move[];
  resolve: (answer: MoveAnswer) => void;
  reject: (error: unknown) => void;
}

function queueOver(initial: Plan) {
  const sent: Sent[] = [];
  const state = { plan: initial, failures: 0 };
  const queue = new MoveQueue({
    read: () => state.plan,
    write: (plan) => {
      state.plan = plan;
    },
    send: (moves) => new Promise((resolve, reject) => sent.push({ moves, resolve, reject })),
    onDone: () => undefined,
    onFailed: () => {
      state.failures += 1;
    },
  });
  return { queue, sent, state };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("MoveQueue", () => {
  it("P-266 P-272 shows a move at once and takes it back when the server refuses", async () => {
    const { queue, sent, state } = queueOver(dayPlan());
    const before = state.plan;
    queue.add(to(1, [4], 1));
    expect(sequence(state.plan, 1)).toEqual([4, 1, 2, 3]);
    sent[0]?.reject(new Error("no"));
    await settle();
    expect(state.plan).toEqual(before);
    expect(state.failures).toBe(1);
    expect(queue.busy).toBe(false);
  });

  it("P-273 P-274 sends one request at a time and accumulates what comes in meanwhile", async () => {
    const { queue, sent, state } = queueOver(dayPlan());
    queue.add(to(1, [4], 1));
    queue.add(to(null, [2]));
    queue.add(to(null, [3]));
    expect(sent).toHaveLength(1);
    const first = state.plan.runs[0];
    if (first === undefined) throw new Error("no run");
    const served = [4, 1, 2, 3].map((id, index) => ({
      ...job(id),
      run_id: 1,
      seq: index + 1,
      eta: at("10:00"),
    }));
    sent[0]?.resolve({ version: 1, updated_runs: [{ ...first, jobs: served }], jobs_to_unserved: [] });
    await settle();
    expect(sent).toHaveLength(2);
    expect(sent[1]?.moves).toHaveLength(2);
    // What waits is shown on top of what is confirmed.
    expect(sequence(state.plan, 1)).toEqual([4, 1]);
    sent[1]?.resolve({
      version: 1,
      updated_runs: [{ ...first, jobs: served.slice(0, 2) }],
      jobs_to_unserved: [job(2), job(3)],
    });
    await settle();
    expect(sequence(state.plan, 1)).toEqual([4, 1]);
    expect(find(state.plan, 1)?.eta).toBe(at("10:00"));
    expect(find(state.plan, 2)?.run_id).toBeNull();
  });

  it("S-22 sends moves together only as far as they have the same reason", async () => {
    const { queue, sent } = queueOver(dayPlan());
    const answer = { version: 1, updated_runs: [], jobs_to_unserved: [] };
    queue.add(to(null, [1]));
    queue.add(to(null, [2]));
    queue.add({ ...to(null, [3]), scenario_reason_id: 7 });
    queue.add({ ...to(2, [4]), scenario_reason_id: null });
    for (const next of [0, 1, 2, 3]) {
      sent[next]?.resolve(answer);
      await settle();
    }
    expect(sent.map(({ moves }) => moves.map(({ job_ids: [id] }) => id))).toEqual([[1], [2], [3], [4]]);
  });

  it("W-001 takes changes of others under what is on its way, and keeps them when that fails", async () => {
    const { queue, sent, state } = queueOver(dayPlan());
    queue.add(to(2, [4]));
    queue.take((plan) => ({
      ...plan,
      jobs: plan.jobs.map((item) => (item.id === 1 ? { ...item, comments: "Ring" } : item)),
    }));
    expect(find(state.plan, 1)?.comments).toBe("Ring");
    expect(find(state.plan, 4)?.run_id).toBe(2);
    sent[0]?.reject(new Error("no"));
    await settle();
    expect(find(state.plan, 1)?.comments).toBe("Ring");
    expect(find(state.plan, 4)?.run_id).toBeNull();
  });

  it("keeps confirmed moves when a later one fails", async () => {
    const { queue, sent, state } = queueOver(dayPlan());
    queue.add(to(null, [3]));
    queue.add(to(2, [4]));
    const [first] = state.plan.runs;
    if (first === undefined) throw new Error("no run");
    sent[0]?.resolve({
      version: 1,
      updated_runs: [{ ...first, jobs: [job(1, { run_id: 1, seq: 1 }), job(2, { run_id: 1, seq: 2 })] }],
      jobs_to_unserved: [job(3)],
    });
    await settle();
    sent[1]?.reject(new Error("no"));
    await settle();
    expect(sequence(state.plan, 1)).toEqual([1, 2]);
    expect(find(state.plan, 4)?.run_id).toBeNull();
  });
});
