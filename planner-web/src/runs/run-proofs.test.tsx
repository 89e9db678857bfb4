import { type AuthUser, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { run } from "../road/test-day.ts";
import { queryClient } from "../ui/query-client.ts";
import { RunProofsTab } from "./RunProofsTab.tsx";

it("W-052: nothing is said of proofs before they have come", async () => {
  const user = {
    id: 1,
    role: { id: 1, name: "planner", access_levels: ["runs_read", "proofs_read"] },
    organisation: { id: 1, name: "Porto", modules: [], settings: {} },
  } as unknown as AuthUser;
  useSession.setState({ status: "signed_in", user, token: "token" });
  const page = { data: [], total_count: 0, page: 1, per_page: 100 };
  answering({ "GET /run_proofs": page, "GET /checklist/submissions": page });
  const root = freshRoot();
  act(() =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <RunProofsTab run={run()} />
      </QueryClientProvider>,
    ),
  );
  const none = "No proof recorded yet.";
  expect(document.body.textContent).not.toContain(none);
  expect(document.querySelector('[role="progressbar"]')).not.toBeNull();
  await act(() => vi.waitFor(() => expect(document.body.textContent).toContain(none), { timeout: 5000 }));
  act(() => root.unmount());
  vi.unstubAllGlobals();
});
