import { type AuthUser, type Run, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { queryClient } from "../ui/query-client.ts";
import { DelayDialog } from "./DelayDialog.tsx";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["runs_read", "runs_write"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;

it(
  "W-008, P-297 P-298 P-299: -20 is typed as written and advances the run",
  { timeout: 30_000 },
  async () => {
    useSession.setState({ status: "signed_in", user, token: "token" });
    const calls = answering({});
    const root = freshRoot();
    const context = {
      scenario: null,
      scenarioId: 1,
      plan: { jobs: [], runs: [{ id: 3, dispatched: false } as Run] },
      loading: false,
      error: null,
      activate: () => undefined,
    };
    act(() =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <PlanProvider value={context}>
            <DelayDialog runId={3} onClose={() => undefined} />
          </PlanProvider>
        </QueryClientProvider>,
      ),
    );
    const input = document.querySelector<HTMLInputElement>("input:not([type=range])");
    const confirm = [...document.querySelectorAll("button")].find(
      ({ textContent }) => textContent === "Confirm",
    );
    const type = (text: string): void =>
      act(() => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
        input?.dispatchEvent(new Event("input", { bubbles: true }));
      });
    expect(confirm?.disabled).toBe(true);
    for (const part of ["-", "-2", "-20"]) {
      type(part);
      expect(input?.value).toBe(part);
    }
    expect(confirm?.disabled).toBe(false);
    type("-1001");
    expect(confirm?.disabled).toBe(true);
    expect(document.body.textContent).toContain("Whole minutes from -1000 to 1000");
    type("-20");
    act(() => confirm?.click());
    await vi.waitFor(() =>
      expect(calls.map(({ body }) => body)).toContainEqual(expect.objectContaining({ delay: -20 })),
    );
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    act(() => root.unmount());
    vi.unstubAllGlobals();
  },
);
