import type { Place } from "@routewright/web";
import { create } from "zustand";
import { openDialog } from "../plan/dialogs.ts";
import { STEPS, type StepName } from "./steps.ts";

interface TutorialState {
  /** `null`: the tutorial is closed. */
  step: StepName | null;
  depot: Place | null;
}

/** Where the user is in the tutorial. */
export const useTutorial = create<TutorialState>(() => ({ step: null, depot: null }));

export function startTutorial(): void {
  useTutorial.setState({ step: "depot", depot: null });
}

export function goTo(step: StepName): void {
  useTutorial.setState({ step });
}

/** The step after the given one; nothing when the user is elsewhere by now. */
export function goOn(from: StepName): void {
  const next = STEPS[STEPS.indexOf(from) + 1];
  if (useTutorial.getState().step === from && next !== undefined) goTo(next);
}

/** Closes the tutorial, at its end or before: modules and co-workers come next. */
export function finishTutorial(): void {
  useTutorial.setState({ step: null, depot: null });
  openDialog({ kind: "account-settings" });
}
