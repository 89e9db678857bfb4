import { type AuthUser, type Job, session, useSession } from "@routewright/web";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "../ui/query-client.ts";
import { applyThrough, catchUp, hear, loaded, setOpen, versionOf } from "./follow.ts";
import { keys } from "./keys.ts";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["jobs_read", "scenarios_read", "runs_read", "jobs_write"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const job = (id: number, part: Partial<Job> = {}): Job => ({ id, uid: `J${id}`, ...part }) as Job;

let scenario = 100;
let answers: Record<string, unknown>[] = [];
let asked: string[] = [];

function answer(version: number, jobs: Job[] = [], part: object = {}): void {
  answers.push({
    version,
    reload: false,
    changes: [],
    jobs,
    runs: [],
    removed_job_ids: [],
    removed_run_ids: [],
    items: false,
    scenario: false,
    ...part,
  });
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const shown = (): Job[] => queryClient.getQueryData<Job[]>(keys.jobs(scenario)) ?? [];

beforeEach(() => {
  scenario += 1;
  answers = [];
  asked = [];
  useSession.setState({ status: "signed_in", user, token: "t" });
  expect(session().user?.id).toBe(1);
  vi.stubGlobal("fetch", (request: RequestInfo | URL) => {
    asked.push(request instanceof Request ? request.url : String(request));
    const body = answers.shift();
    return Promise.resolve(
      new Response(JSON.stringify(body ?? { title: "404 Not Found", description: "Scenario not found" }), {
        status: body === undefined ? 404 : 200,
        headers: { "Content-Type": "application/json" },
      }),
    );
  });
  setOpen(scenario);
  queryClient.setQueryData(keys.jobs(scenario), [job(1), job(2)]);
  queryClient.setQueryData(keys.runs(scenario), []);
  loaded(scenario, "jobs", 4);
  loaded(scenario, "runs", 5);
});

afterEach(() => {
  setOpen(null);
  applyThrough(() => false);
  vi.unstubAllGlobals();
  queryClient.clear();
});

describe("following a plan (W-001)", () => {
  it("fetches what is missing since the older of both lists, and nothing that it has", async () => {
    await settle();
    asked = [];
    answer(6, [job(2, { run_id: 9 })]);
    hear(scenario, 6);
    await settle();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(`/scenarios/${scenario}/changes`);
    expect(shown()[1]?.run_id).toBe(9);
    expect(versionOf(scenario)).toBe(6);
    hear(scenario, 6);
    hear(scenario, 3);
    await settle();
    expect(asked).toHaveLength(1);
  });

  it("asks again for what was announced while it asked", async () => {
    await settle();
    answers = [];
    answer(6, [job(2, { seq: 1 })]);
    answer(7, [job(2, { seq: 2 })]);
    void catchUp(scenario);
    hear(scenario, 7);
    await settle();
    expect(shown()[1]?.seq).toBe(2);
    expect(versionOf(scenario)).toBe(7);
  });

  it("lets a list that was read before a change be brought up again", async () => {
    await settle();
    answers = [];
    answer(6, [job(2, { seq: 1 })]);
    hear(scenario, 6);
    await settle();
    // A reload that began at version 5 comes in late.
    queryClient.setQueryData(keys.jobs(scenario), [job(1), job(2)]);
    answer(6, [job(2, { seq: 1 })]);
    loaded(scenario, "jobs", 5);
    await settle();
    expect(shown()[1]?.seq).toBe(1);
  });

  it("gives changes to whoever shows moves that are not confirmed", async () => {
    await settle();
    answers = [];
    const taken: number[] = [];
    applyThrough((id, change) => {
      taken.push(change({ jobs: [], runs: [] }).jobs.length);
      return id === scenario;
    });
    answer(6, [job(2, { seq: 1 })]);
    hear(scenario, 6);
    await settle();
    expect(taken).toEqual([1]);
    expect(shown()[1]?.seq).toBeUndefined();
  });
});
