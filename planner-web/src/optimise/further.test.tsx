import { type AuthUser, type Job, type Run, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { cachePlan } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";
import { OptimisationBar } from "./OptimisationBar.tsx";
import { SummaryDialog } from "./SummaryDialog.tsx";
import { useOptimisation } from "./task.ts";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["runs_read", "runs_write", "jobs_read", "drivers_read"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const figures = {
  served: 9,
  unserved: 0,
  late: 0,
  runs: 1,
  distance: 9000,
  driving_time: 600,
  working_time: 3600,
  cost: null,
  load: [],
};
const compact = { served: 9, runs: 1, distance: 12_000, driving_time: 900, working_time: 7200, strays: 1 };
const task = {
  task_id: 4,
  status: "done",
  unservedJobs: [],
  summary: {
    before: figures,
    after: figures,
    roads_source: null,
    compact: { with: compact, without: { ...compact, distance: 10_000, working_time: 3600, strays: 5 } },
  },
};

function shown(element: ReactNode): { calls: ReturnType<typeof answering>; end: () => void } {
  useSession.setState({ status: "signed_in", user, token: "token" });
  const calls = answering({ "GET /optimise/background/scenarios/1": task });
  const plan = { jobs: [{ id: 5, run_id: 3 } as Job], runs: [{ id: 3, driver_id: 7 } as Run] };
  cachePlan(1, plan);
  const context = {
    scenario: { id: 1, background_status: null } as never,
    scenarioId: 1,
    plan,
    loading: false,
    error: null,
    activate: () => undefined,
  };
  const root = freshRoot();
  act(() =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <PlanProvider value={context}>{element}</PlanProvider>
      </QueryClientProvider>,
    ),
  );
  return { calls, end: () => act(() => root.unmount()) };
}

function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);
  if (found === undefined) throw new Error(`${name} is missing`);
  return found;
}

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

it(
  "W-005, P-029: the summary tells what compact runs cost, and goes on with what was wanted",
  { timeout: 30_000 },
  async () => {
    const { calls, end } = shown(<SummaryDialog onClose={() => undefined} />);
    const text = await vi.waitFor(() => {
      const found = document.querySelector("[role=alert]")?.textContent ?? "";
      if (!found.includes("Compact runs")) throw new Error("not told yet");
      return found;
    });
    for (const part of ["12", "10", "1 instead of 5"]) expect(text).toContain(part);
    act(() => button("Improve further").click());
    await vi.waitFor(() =>
      expect(calls.find(({ method }) => method === "POST")).toMatchObject({
        path: "/optimise/scenarios/1",
        body: { driver_ids: [7], options: { improve: true, compact: true } },
      }),
    );
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    end();
  },
);

it(
  "W-005: the bar of an optimisation that ended offers to improve it further",
  { timeout: 30_000 },
  async () => {
    useOptimisation.setState({ scenarioId: null, endedId: 1 });
    const { calls, end } = shown(<OptimisationBar />);
    act(() => button("Improve further").click());
    await vi.waitFor(() =>
      expect(calls.find(({ method }) => method === "POST")?.body).toMatchObject({
        driver_ids: [7],
        options: { improve: true },
      }),
    );
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(useOptimisation.getState().endedId).toBeNull();
    end();
  },
);
