import {
  type AuthUser,
  type Job,
  type JobDiagnosis,
  type Remedy,
  type Run,
  useSession,
} from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering, pageOf } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { closeAllDialogs, useDialogs } from "../plan/dialogs.ts";
import { queryClient } from "../ui/query-client.ts";
import { changedDispatched } from "./diagnosis.ts";
import { DiagnosisDialog } from "./DiagnosisDialog.tsx";

const user = {
  id: 1,
  role: {
    id: 1,
    name: "planner",
    access_levels: ["runs_read", "runs_write", "jobs_read", "jobs_write", "reason_read"],
  },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const remedy = {
  kind: "free_capacity",
  text: "Move A to Rui",
  run_id: 3,
  run_uid: "Ana",
  moved_job_id: 6,
  moved_to_run_id: 4,
  eta: null,
} as unknown as Remedy;
const diagnosis = {
  job_id: 5,
  job_uid: "B",
  state: "unserved",
  reason: "capacity",
  text: "Ana: 76 of 70 boxes",
  linked_job_ids: [],
  runs: [],
  remedies: [remedy],
  untried_runs: 0,
  version: 9,
} as unknown as JobDiagnosis;
const plan = {
  jobs: [{ id: 5, uid: "B", run_id: null } as Job, { id: 6, uid: "A", run_id: 3 } as Job],
  runs: [
    { id: 3, uid: "Ana", dispatched: true } as Run,
    { id: 4, uid: "Rui", dispatched: true } as Run,
    { id: 8, uid: "Eva", dispatched: true } as Run,
  ],
};

it("S-22: a remedy changes the runs that its jobs leave or come to", () => {
  const uids = (of: Remedy): string[] =>
    changedDispatched(plan, diagnosis, of)
      .map(({ uid }) => uid)
      .sort();
  expect(uids(remedy)).toEqual(["Ana", "Rui"]);
  expect(uids({ ...remedy, moved_job_id: null, moved_to_run_id: null, run_id: 8 })).toEqual(["Eva"]);
  expect(uids({ ...remedy, moved_job_id: null, moved_to_run_id: null, run_id: null })).toEqual([]);
});

it(
  "S-22, W-002: a remedy on dispatched runs asks why, and sends the answer",
  { timeout: 30_000 },
  async () => {
    useSession.setState({ status: "signed_in", user, token: "token" });
    const calls = answering({
      "GET /scenarios/1/diagnosis/5": diagnosis,
      "GET /scenario_reasons": pageOf([{ id: 2, name: "Van broke down" }]),
    });
    const context = {
      scenario: null,
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
          <PlanProvider value={context}>
            <DiagnosisDialog jobId={5} onClose={() => undefined} />
          </PlanProvider>
        </QueryClientProvider>,
      ),
    );
    const apply = await vi.waitFor(() => {
      const found = document.querySelector<HTMLButtonElement>("button[aria-label='Apply: Move A to Rui']");
      if (found === null) throw new Error("nothing to apply yet");
      return found;
    });
    act(() => apply.click());
    const question = await vi.waitFor(() => {
      const dialog = useDialogs.getState().open.at(-1);
      if (dialog?.kind !== "reason") throw new Error("nothing is asked");
      return dialog;
    });
    expect([...question.runs].sort()).toEqual(["Ana", "Rui"]);
    expect(calls.some(({ method }) => method === "POST")).toBe(false);
    act(() => question.act(2));
    await vi.waitFor(() =>
      expect(calls.find(({ method }) => method === "POST")?.body).toEqual({
        job_id: 5,
        kind: "free_capacity",
        version: 9,
        scenario_reason_id: 2,
      }),
    );
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    closeAllDialogs();
    act(() => root.unmount());
    vi.unstubAllGlobals();
  },
);
