import type { Job, Run, Scenario } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RunsPanel } from "../runs/RunsPanel.tsx";
import { ScenarioPicker } from "../scenarios/ScenarioPicker.tsx";
import { queryClient } from "../ui/query-client.ts";
import { type PlanContext, PlanProvider } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { usePlan } from "../plan/queries.ts";

const scenario = { id: 1, name: "Porto", scheduled_date: "2026-11-22", stage: "planning" } as Scenario;
const nothing: PlanContext = {
  scenario: null,
  scenarioId: null,
  plan: { jobs: [], runs: [] },
  loading: false,
  error: null,
  activate: () => undefined,
};

function Counts(): ReactNode {
  const { plan, loading } = usePlan(1);
  return `${plan.runs.length} runs, ${plan.jobs.length} jobs, ${loading ? "loading" : "there"}`;
}

describe("a day that is not there yet", () => {
  let root: Root;

  beforeEach(() => {
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    queryClient.clear();
  });

  function show(part: ReactNode, context: Partial<PlanContext> = {}): string {
    act(() =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <PlanProvider value={{ ...nothing, ...context }}>{part}</PlanProvider>
        </QueryClientProvider>,
      ),
    );
    return document.body.textContent;
  }

  it("is not called inactive", () => {
    expect(show(<ScenarioPicker />)).toBe("Choose scenarioNo scenario is active");
    expect(show(<ScenarioPicker />, { scenarioId: 1 })).toBe("Loading…");
    expect(show(<ScenarioPicker />, { scenarioId: 1, scenario })).toBe("Porto11/22/2026");
    expect(show(<ScenarioPicker />, { scenarioId: 1, error: new Error("gone") })).toContain("No scenario");
  });

  it("has no runs without their jobs", () => {
    queryClient.setQueryData(keys.runs(1), [{ id: 7 } as Run]);
    expect(show(<Counts />)).toBe("0 runs, 0 jobs, loading");
    act(() => void queryClient.setQueryData(keys.jobs(1), [{ id: 3 } as Job]));
    expect(show(<Counts />)).toBe("1 runs, 1 jobs, there");
  });

  it("shows in the runs that it is loading, not that there are none", () => {
    const panel = <RunsPanel />;
    expect(show(panel, { loading: true })).not.toContain("No runs yet");
    expect(document.querySelector('[role="progressbar"]')).not.toBeNull();
    expect(show(panel)).toContain("No runs yet");
    expect(document.querySelector('[role="progressbar"]')).toBeNull();
  });
});
