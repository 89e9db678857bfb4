import { texts } from "@routewright/web";

export type StepName = keyof typeof texts.tutorial.steps;

/** The steps in their order. */
export const STEPS: readonly StepName[] = [
  "depot",
  "drivers",
  "jobs",
  "route",
  "runs",
  "timeline",
  "tracking",
  "customers",
  "dispatch",
  "demo",
  "finish",
];

/** Element that a step is about: the value of its `data-tutorial` attribute. */
export const TARGETS: Partial<Record<StepName, string>> = {
  drivers: "panel-drivers",
  jobs: "panel-jobs",
  route: "optimise",
  runs: "panel-runs",
  timeline: "timeline",
  tracking: "stage-tracking",
  customers: "tracking-links",
  dispatch: "dispatch",
};
