import { type AuthUser, useSession } from "@routewright/web";
import { answering, pageOf } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { useDialogs } from "../plan/dialogs.ts";
import { queryClient } from "../ui/query-client.ts";
import { UndeliveredButton } from "./UndeliveredButton.tsx";
import { UndeliveredDialog } from "./UndeliveredDialog.tsx";

const message = {
  id: 7,
  kind: "run_sheet",
  channel: "email",
  recipients: ["ana@example.org"],
  subject: "Run sheet Ana",
  state: "unknown",
  run_uid: "R1",
  job_uid: null,
  created: "2026-11-23T08:00:00Z",
};
const context = {
  scenario: null,
  scenarioId: 3,
  plan: { jobs: [], runs: [] },
  loading: false,
  error: null,
  activate: () => undefined,
};

function open(levels: string[], lost: unknown[]) {
  const user = {
    id: 1,
    role: { id: 1, name: "planner", access_levels: levels },
    organisation: { id: 1, name: "Porto", modules: [], timezone: "UTC", settings: {} },
  } as unknown as AuthUser;
  useSession.setState({ status: "signed_in", user, token: "token" });
  const left = [...lost];
  const settled = () => ({ ...message, state: left.pop() === undefined ? "unknown" : "sent" });
  const calls = answering({
    "GET /messages": () => pageOf(left),
    "POST /messages/7/arrived": settled,
    "POST /messages/7/send_again": settled,
  });
  render(
    <QueryClientProvider client={queryClient}>
      <PlanProvider value={context}>
        <UndeliveredButton />
        <UndeliveredDialog onClose={() => undefined} />
      </PlanProvider>
    </QueryClientProvider>,
  );
  return calls;
}

describe("V-30: messages that may not have arrived", () => {
  beforeEach(() => queryClient.clear());
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each([
    ["It arrived", "/messages/7/arrived"],
    ["Send again", "/messages/7/send_again"],
  ])("are settled by a person: %s", async (name, path) => {
    const calls = open(["runs_read", "runs_write"], [message]);
    expect(await screen.findByText("ana@example.org")).toBeTruthy();
    expect(calls[0]?.query.get("state")).toBe("unknown");
    expect(calls[0]?.query.get("scenario_id")).toBe("3");
    fireEvent.click(await screen.findByLabelText("1 message may not have arrived"));
    expect(useDialogs.getState().open.at(-1)).toEqual({ kind: "undelivered" });
    fireEvent.click(screen.getByRole("button", { name }));
    expect(await screen.findByText(/Every message was taken/)).toBeTruthy();
    expect(calls.filter(({ method }) => method === "POST").map((call) => call.path)).toEqual([path]);
    await waitFor(() => expect(screen.queryByLabelText("1 message may not have arrived")).toBeNull());
  });

  it("are only told to who cannot dispatch", async () => {
    open(["runs_read"], [message]);
    expect(await screen.findByText("ana@example.org")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "It arrived" })).toBeNull();
  });
});
