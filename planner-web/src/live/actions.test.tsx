import { type AccessLevel, type AuthUser, type Job, type Run, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { act } from "react";
import { afterEach, expect, it } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { closeAllDialogs, useDialogs } from "../plan/dialogs.ts";
import { problemsOf } from "../plan/problems.ts";
import { at, run, stop } from "../road/test-day.ts";
import type { MenuItemOf } from "../ui/MenuButton.tsx";
import { useExceptionActions } from "./actions.ts";

const PLANNER: AccessLevel[] = ["runs_read", "runs_write", "jobs_read", "jobs_write", "run_detail_read"];

afterEach(closeAllDialogs);

function offered(levels: AccessLevel[], of: Run, job: Job | undefined): MenuItemOf[] {
  const role = { id: 1, name: "role", access_levels: levels };
  const organisation = { id: 1, name: "Porto", modules: [], settings: {} };
  const user = { id: 1, role, organisation } as unknown as AuthUser;
  useSession.setState({ status: "signed_in", user, token: "token" });
  const jobs = job === undefined ? [stop(1), stop(2), stop(3, { visited: true })] : [job];
  const plan = { jobs, runs: [of] };
  const problems = problemsOf(plan, { mode: "sum", zeroIsUnlimited: true, zone: "UTC" });
  let found: MenuItemOf[] = [];
  function Asks(): null {
    found = useExceptionActions(plan, problems)({ jobId: job?.id ?? null, runId: of.id }, job, of);
    return null;
  }
  const rest = { scenario: null, loading: false, error: null, activate: () => undefined };
  const root = freshRoot();
  act(() =>
    root.render(
      <PlanProvider value={{ ...rest, scenarioId: 1, plan }}>
        <Asks />
      </PlanProvider>,
    ),
  );
  act(() => root.unmount());
  return found;
}

const labels = (items: MenuItemOf[]): string[] => items.map(({ label }) => label);
const late = stop(1, {
  leave_by: "08:00",
  scenario_id: 1,
  customer_email: "a@b.example",
  phone_number: "+351 220 000 002",
});

it("issue 13.3: an exception at a stop offers the run that can take it, another day, a delay and a word to everybody", () => {
  const items = offered(PLANNER, run(), late);
  expect(labels(items)).toEqual([
    "Call the driver +351220000001",
    "Find a run that can take it…",
    "Move to another run…",
    "Move to another day…",
    "Delay/Advance run",
    "Tell the customer…",
    "Call the customer +351 220 000 002",
    "Details",
    "Run Details",
  ]);
  const hrefs = items.flatMap((item) => ("href" in item ? item.href : []));
  expect(hrefs).toEqual(["tel:+351220000001", "tel:+351220000002"]);
});

it("issue 13.3: nothing is sent before it was said to whom", () => {
  const tell = offered(PLANNER, run(), late).find(({ label }) => label === "Tell the customer…");
  if (tell !== undefined && "act" in tell) tell.act();
  const [asked, ...more] = useDialogs.getState().open;
  expect(more).toEqual([]);
  expect(asked?.kind === "question" && asked.text).toContain("a@b.example");
});

it("issue 13.3: a run as a whole is called, moved or delayed; what is over is only looked at", () => {
  expect(labels(offered(PLANNER, run(), undefined))).toEqual([
    "Call the driver +351220000001",
    "Move its 2 open stops…",
    "Delay/Advance run",
    "Run Details",
  ]);
  const driving = run({ actual_start_time: at("08:00") });
  expect(labels(offered(PLANNER, driving, late))).not.toContain("Find a run that can take it…");
  const visited = { ...late, visited: true, customer_email: null };
  expect(labels(offered(PLANNER, driving, visited))).toEqual([
    "Call the driver +351220000001",
    "Call the customer +351 220 000 002",
    "Details",
    "Run Details",
  ]);
});

it("issue 13.3: who may only look, or only watch the live overview, does nothing", () => {
  expect(labels(offered(["runs_read", "jobs_read", "run_detail_read"], run(), late))).toEqual([
    "Details",
    "Run Details",
  ]);
  expect(labels(offered([...PLANNER, "live_overview_login"], run(), late))).toEqual([
    "Details",
    "Run Details",
  ]);
});
