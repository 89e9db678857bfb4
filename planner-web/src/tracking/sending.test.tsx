import { type AuthUser, type Job, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering } from "@routewright/web/testing/answers";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { TrackingLinksDialog } from "./TrackingLinksDialog.tsx";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["jobs_read", "jobs_write"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const job = (id: number, customer: string, email: string | null): Job =>
  ({ id, uid: `J${id}`, customer_name: customer, customer_email: email, tracking_token: `t${id}` }) as Job;
const jobs = [
  job(1, "Padaria Flor", "flor@example.org"),
  job(2, "Padaria Sol", "sol@example.org"),
  job(3, "Padaria Lua", null),
  job(4, "Café Central", "central@example.org"),
];

it(
  "W-030, P-118, P-119, P-300: Send All sends what the search left, after saying whom",
  { timeout: 30_000 },
  async () => {
    useSession.setState({ status: "signed_in", user, token: "token" });
    const calls = answering({
      "POST /jobs/send_tracking_urls": [
        { job_id: 1, success: true },
        { job_id: 2, success: true },
      ],
    });
    const root = freshRoot();
    const context = {
      scenario: null,
      scenarioId: 1,
      plan: { jobs, runs: [] },
      loading: false,
      error: null,
      activate: () => undefined,
    };
    act(() =>
      root.render(
        <PlanProvider value={context}>
          <TrackingLinksDialog onClose={() => undefined} />
        </PlanProvider>,
      ),
    );
    const press = (name: string): void => {
      const found = [...document.querySelectorAll("button")].filter(
        ({ textContent }) => textContent === name,
      );
      act(() => found.at(-1)?.click());
    };
    const search = document.querySelector<HTMLInputElement>("input[aria-label='Search']");
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(search, "padaria");
      search?.dispatchEvent(new Event("input", { bubbles: true }));
    });
    expect(document.body.textContent).toContain("3 of 4 jobs shown");
    press("Send All");
    expect(document.body.textContent).toContain("Send tracking links for 2 jobs?");
    const whom = [...document.querySelectorAll("[aria-label='Recipients'] tr")].map((row) => row.textContent);
    expect(whom).toEqual(["J1Padaria Florflor@example.org", "J2Padaria Solsol@example.org"]);
    expect(document.body.textContent).toContain("nothing is sent for: J3");
    expect(calls).toEqual([]);
    press("Send");
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    expect((calls[0]?.body as { job_id: number }[]).map(({ job_id: id }) => id)).toEqual([1, 2]);
    await act(() => Promise.resolve());
    act(() => root.unmount());
    vi.unstubAllGlobals();
  },
);
