import { type AuthUser, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { run, stop } from "../road/test-day.ts";
import { queryClient } from "../ui/query-client.ts";
import { Effect } from "./Effect.tsx";
import { effectOf } from "./moves.ts";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["runs_read", "runs_write"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const plan = { jobs: [stop(1), stop(2, { run_id: null, seq: null })], runs: [run({ distance: 1000 })] };
const move = { run_id: 1, job_ids: [2], seq: null, pool: false };

function show(): () => void {
  useSession.setState({ status: "signed_in", user, token: "token" });
  const root = freshRoot();
  const context = {
    scenario: null,
    scenarioId: 1,
    plan,
    loading: false,
    error: null,
    activate: () => undefined,
  };
  act(() =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <PlanProvider value={context}>
          <Effect of="move 2 to 1" ask={() => effectOf(move)} />
        </PlanProvider>
      </QueryClientProvider>,
    ),
  );
  return () => act(() => root.unmount());
}

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

it("issue 13.3: what a move would lead to is asked for and told, and nothing is moved", async () => {
  const moved = { ...run({ distance: 1000 }), jobs: [stop(1), stop(2)] };
  const calls = answering({
    "PUT /runs/move_job_to_new/1": { updated_runs: [moved], jobs_to_unserved: [], version: 2 },
  });
  const close = show();
  await act(() =>
    vi.waitFor(() => expect(document.body.textContent).toContain("served 1 → 2"), { timeout: 5000 }),
  );
  expect(calls.map(({ body }) => body)).toEqual([{ job_ids: [2], seq: null, pool: false, dry_run: true }]);
  close();
});

it("issue 13.3: a move that would be refused says why beforehand", async () => {
  answering({});
  const close = show();
  await act(() =>
    vi.waitFor(() => expect(document.querySelector('[role="alert"]')).not.toBeNull(), { timeout: 5000 }),
  );
  expect(document.body.textContent).not.toContain("→");
  close();
});
