import { type AuthUser, type Job, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering, type Asked, pageOf } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { closeAllDialogs, useDialogs } from "../plan/dialogs.ts";
import { queryClient } from "../ui/query-client.ts";
import { JobDetailsDialog } from "./JobDetailsDialog.tsx";
import { moveToPool } from "./pool.ts";
import { TagsDialog } from "./TagsDialog.tsx";

const LEVELS = ["jobs_read", "jobs_write", "tags_read", "units_read", "containers_read"];
const job = {
  id: 4,
  uid: "J4",
  scenario_id: 1,
  run_id: null,
  run: null,
  customer_name: "Padaria Flor",
  location: { address: "Rua do Almada 3, Porto", lat: 41.15, lon: -8.61 },
  territory_ids: [],
  size: null,
  spec_type: null,
  pickup_from: null,
  deliver_to: null,
  arrive_after: null,
  leave_by: null,
  idm: false,
  customer_instructions: null,
  customer_safe_place: null,
  unserved_reason: null,
  extra_fields: {},
  tags: [],
  units: [
    { id: 6, uid: "U-1", name: "Box" },
    { id: 7, uid: "U-2", name: null },
  ],
};

describe("details of a job", { timeout: 30_000 }, () => {
  let root: Root;
  let calls: Asked[];

  beforeEach(() => {
    closeAllDialogs();
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    queryClient.clear();
    vi.unstubAllGlobals();
  });

  function show(part: ReactNode, modules: string[], answers: Record<string, unknown>): void {
    const role = { id: 1, name: "planner", access_levels: LEVELS };
    const organisation = { id: 1, name: "Porto", modules, settings: {} };
    const user = { id: 1, role, organisation } as unknown as AuthUser;
    useSession.setState({ status: "signed_in", user, token: "token" });
    calls = answering({ "GET /jobs/4/all": job, "GET /territories": pageOf([]), ...answers });
    const context = {
      scenario: null,
      scenarioId: 1,
      plan: { jobs: [job as unknown as Job], runs: [] },
      loading: false,
      error: null,
      activate: () => undefined,
    };
    act(() =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <PlanProvider value={context}>{part}</PlanProvider>
        </QueryClientProvider>,
      ),
    );
  }

  const all = <T extends Element>(css: string): T[] => [...document.querySelectorAll<T>(css)];
  const button = (name: string): HTMLButtonElement | undefined =>
    all<HTMLButtonElement>("button").findLast((item) => item.textContent.trim() === name);
  const until = (check: () => boolean): Promise<void> =>
    vi.waitFor(
      async () => {
        await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
        expect(check()).toBe(true);
      },
      { timeout: 10_000 },
    );
  const click = async (name: string): Promise<void> => {
    await until(() => button(name) !== undefined);
    await act(async () => {
      button(name)?.click();
      await Promise.resolve();
    });
  };
  const asked = (call: string): Asked | undefined =>
    calls.find(({ method, path }) => `${method} ${path}` === call);

  it.each([["units"], ["returns"], ["containers"]])(
    "W-027 P-020 P-087: Attachments are reached with only the module %s",
    async (module) => {
      show(<JobDetailsDialog jobId={4} onClose={() => undefined} />, [module], {});
      await click("Attachments");
      expect(useDialogs.getState().open).toEqual([{ kind: "attachments", jobId: 4 }]);
    },
  );

  it("W-027: without any of these modules there are no Attachments", async () => {
    show(<JobDetailsDialog jobId={4} onClose={() => undefined} />, ["udf"], {});
    await until(() => button("Duplicate job") !== undefined);
    expect(button("Attachments")).toBeUndefined();
  });

  it("P-409: Duplicate job copies the units that are chosen", async () => {
    show(<JobDetailsDialog jobId={4} onClose={() => undefined} />, ["units"], {
      "POST /duplicate_job": { ...job, id: 9, uid: "J4-copy" },
    });
    await click("Duplicate job");
    await until(() => document.body.textContent.includes("Units that the copy gets"));
    const boxes = all<HTMLInputElement>("input[type=checkbox]");
    expect(boxes.map(({ checked }) => checked)).toEqual([true, true, true]);
    act(() => boxes[1]?.click());
    expect(boxes.map(({ checked }) => checked)).toEqual([false, false, true]);
    await click("Duplicate job");
    await until(() => asked("POST /duplicate_job") !== undefined);
    expect(asked("POST /duplicate_job")?.body).toEqual({ job_id: 4, unit_ids: [7] });
  });

  it("P-251: after Move to pool tags are offered", async () => {
    const question = { kind: "tags", jobIds: [4], fromPool: true } as const;
    show(null, [], { "PUT /jobs/move_to_pool": { job_ids: [4], updated_runs: [] } });
    await act(() => moveToPool([4], 1));
    await until(() => useDialogs.getState().open.length > 0);
    expect(asked("PUT /jobs/move_to_pool")?.body).toMatchObject({ job_ids: [4] });
    expect(useDialogs.getState().open).toEqual([question]);
    const closed = vi.fn();
    show(<TagsDialog jobIds={[4]} fromPool onClose={closed} />, [], { "GET /tags": pageOf([]) });
    await until(() =>
      document.body.textContent.includes("Would you like to add Job Tag to Jobs send to the Job Pool"),
    );
    await click("No");
    expect(closed).toHaveBeenCalledOnce();
  });
});
