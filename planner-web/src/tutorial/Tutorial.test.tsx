import { type Scenario, type Stage, Toasts } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type PlanContext, PlanProvider } from "../plan/context.ts";
import { closeAllDialogs, useDialogs } from "../plan/dialogs.ts";
import { keys } from "../plan/keys.ts";
import { useSelection } from "../plan/selection.ts";
import { queryClient } from "../ui/query-client.ts";
import { goTo, startTutorial, useTutorial } from "./state.ts";
import type { StepName } from "./steps.ts";
import { Tutorial } from "./Tutorial.tsx";

const place = { address: "Rua do Almada 3, Porto", lat: 41.15, lon: -8.61 };

/** A day with nothing in it, at a stage. */
function day(stage: Stage): PlanContext {
  const scenario = { id: 1, name: "Porto", stage } as Scenario;
  const plan = { jobs: [], runs: [] };
  return { scenario, scenarioId: 1, plan, loading: false, error: null, activate: () => undefined };
}

/** For a busy machine. */
const WAIT = { timeout: 10_000 };

describe("the tutorial", () => {
  let root: Root;

  beforeEach(() => {
    queryClient.setQueryData(keys.drivers, []);
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    useTutorial.setState({ step: null, depot: null });
    closeAllDialogs();
  });

  function show(step: StepName, stage: Stage = "routing"): void {
    act(() => {
      goTo(step);
      root.render(
        <QueryClientProvider client={queryClient}>
          <PlanProvider value={day(stage)}>
            <Tutorial />
            <Toasts />
          </PlanProvider>
        </QueryClientProvider>,
      );
    });
  }
  const popup = (): string => document.querySelector('[role="dialog"]')?.textContent ?? "";
  async function press(name: string): Promise<void> {
    const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);
    await act(async () => {
      button?.click();
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
  }

  /** Answers and toasts arrive some tasks later. */
  async function soon(check: () => void): Promise<void> {
    await vi.waitFor(async () => {
      await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
      check();
    }, WAIT);
  }

  it.each<[StepName, number, string]>([
    ["drivers", 2, "Drivers"],
    ["jobs", 3, "Jobs"],
    ["route", 4, "Let's Route"],
    ["runs", 5, "Review your Runs"],
    ["timeline", 6, "Detail and Timeline"],
    ["tracking", 7, "Tracking and Dispatch"],
    ["customers", 8, "Customer Tracking"],
    ["dispatch", 9, "Dispatch to your Drivers"],
    ["demo", 10, "15 minute Demo"],
    ["finish", 11, "It is almost finish"],
  ])("A-150, A-151, A-270 to A-279: %s is step %i, %s", (step, number, title) => {
    show(step);
    expect(popup()).toContain(`Step ${number} of 11${title}`);
    for (const button of ["Skip Tutorial", "Next"]) expect(popup()).toContain(button);
  });

  it("A-270, A-271, A-273, A-274: opens what a step is about", () => {
    for (const step of ["drivers", "jobs", "runs"] as const) {
      show(step);
      expect(useSelection.getState().panel).toBe(step);
    }
    act(() => useSelection.setState({ timelineOpen: false }));
    show("timeline");
    expect(useSelection.getState().timelineOpen).toBe(true);
  });

  it("A-269, A-306: asks for the depot first", async () => {
    show("depot");
    act(() => startTutorial());
    expect(popup()).toContain("Where is your depot?");
    await press("Next");
    await soon(() => expect(popup()).toContain("Please select a location"));
    expect(useTutorial.getState().step).toBe("depot");
    // W-092: no longer, once there is one.
    act(() => useTutorial.setState({ depot: place }));
    expect(popup()).not.toContain("Please select a location");
  });

  it("A-307, A-485, A-486: tells why a step cannot go on", async () => {
    show("drivers");
    await press("Next");
    await soon(() => expect(popup()).toContain("No depot location found"));
    const told = "Failed to create jobs: No depot location found";
    await soon(() => expect(document.body.textContent).toContain(told));
    show("route");
    await press("Next");
    expect(useTutorial.getState().step).toBe("route");
    await soon(() => expect(popup()).toContain("You must add at least one job."));
  });

  it("A-275: Tracking goes on by the stage; a day that is tracked already waits for Next", async () => {
    show("tracking");
    show("tracking", "tracking");
    expect(useTutorial.getState().step).toBe("customers");
    show("tracking", "tracking");
    expect(popup()).toContain("Tracking and Dispatch");
    await press("Next");
    await soon(() => expect(useTutorial.getState().step).toBe("customers"));
  });

  it("A-281: shows the stores of the driver app as pictures", () => {
    show("dispatch");
    const names = [...document.querySelectorAll("img")].map(({ alt }) => alt);
    expect(names).toEqual(["Driver app for iPhone", "Driver app for Android"]);
    expect(document.querySelectorAll("a")).toHaveLength(0);
  });

  it("W-092: links to the stores where the installation has an app there", () => {
    vi.stubEnv("VITE_IOS_APP_URL", "https://apps.example.org/driver");
    show("dispatch");
    const links = [...document.querySelectorAll("a")].map(({ href }) => href);
    expect(links).toEqual(["https://apps.example.org/driver"]);
    vi.unstubAllEnvs();
  });

  it("A-279, A-280: its end and a skip open modules and co-workers", async () => {
    for (const [step, button] of [
      ["finish", "Next"],
      ["runs", "Skip Tutorial"],
    ] as const) {
      act(() => useTutorial.setState({ depot: place }));
      show(step);
      await press(button);
      await soon(() => expect(useTutorial.getState()).toMatchObject({ step: null, depot: null }));
      expect(useDialogs.getState().open).toEqual([{ kind: "account-settings" }]);
      act(() => closeAllDialogs());
    }
  });
});
