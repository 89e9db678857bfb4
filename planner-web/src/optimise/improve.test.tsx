import { type AuthUser, type Job, type Run, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering, pageOf } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { queryClient } from "../ui/query-client.ts";
import { OptimiseDialog } from "./OptimiseDialog.tsx";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["runs_read", "runs_write", "drivers_read"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;

it("W-005: a standing plan is improved further for so many seconds", { timeout: 30_000 }, async () => {
  useSession.setState({ status: "signed_in", user, token: "token" });
  const calls = answering({
    "GET /drivers": pageOf([{ id: 7, uid: "Ana", deleted_at: null, location: {} }]),
  });
  const root = freshRoot();
  const context = {
    scenario: null,
    scenarioId: 1,
    plan: { jobs: [{ id: 5, run_id: 3 } as Job], runs: [{ id: 3, driver_id: 7 } as Run] },
    loading: false,
    error: null,
    activate: () => undefined,
  };
  act(() =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <PlanProvider value={context}>
          <OptimiseDialog onClose={() => undefined} />
        </PlanProvider>
      </QueryClientProvider>,
    ),
  );
  const improve = (): HTMLButtonElement | undefined =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Improve further");
  await vi.waitFor(() => expect(improve()?.disabled).toBe(false));
  const input = document.querySelector<HTMLInputElement>("input[inputmode=numeric]");
  const type = (text: string): void =>
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
      input?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  type("601");
  expect(improve()?.disabled).toBe(true);
  expect(document.body.textContent).toContain("Value must be between 1 and 600");
  type("30");
  act(() => improve()?.click());
  await vi.waitFor(() =>
    expect(calls.find(({ method }) => method === "POST")?.body).toMatchObject({
      driver_ids: [7],
      options: { improve: true, max_seconds: 30, objective: "shortest_time" },
    }),
  );
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  act(() => root.unmount());
  vi.unstubAllGlobals();
});
