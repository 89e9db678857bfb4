import { texts, useLevel } from "@routewright/web";
import { useNavigate } from "react-router";
import { resetMapView } from "../map/fit.ts";
import { useScenarioContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { openPanel, toggleTimeline } from "../plan/selection.ts";
import { openOtherDay } from "../scenarios/other-day.ts";
import { takeStep } from "../steps/steps.ts";
import { useMayEdit, useView } from "../ui/view.ts";
import { useActions } from "./use-actions.tsx";

/** Something that a key or a word does. */
export interface Command {
  label: string;
  act: () => void;
  /** As `KeyboardEvent.key`; with `mod` together with Ctrl or the Mac's command key. */
  keys?: string;
}

/** The keys of commands, by what the rest of the page calls these. */
const KEYS: Readonly<Record<string, string>> = { import: "i", optimise: "o", dispatch: "d" };

/** All that can be done now, each with its key. */
export function useCommands(): Command[] {
  const { scenario, scenarioId, activate } = useScenarioContext();
  const navigate = useNavigate();
  const edits = useMayEdit();
  const view = useView();
  const writesJobs = useLevel("jobs_write");
  const writesRuns = useLevel("runs_write");
  const watches = useLevel("live_overview_read");
  const actions = useActions();
  const may = (allowed: boolean, ...commands: Command[]): Command[] => (allowed ? commands : []);
  return [
    { label: texts.commands.open, keys: "mod+k", act: () => openDialog({ kind: "commands" }) },
    ...may(
      edits && writesRuns && scenarioId !== null,
      { label: texts.steps.undo, keys: "mod+z", act: () => void takeStep(scenarioId ?? 0, "undo") },
      { label: texts.steps.redo, keys: "mod+shift+z", act: () => void takeStep(scenarioId ?? 0, "redo") },
    ),
    ...(scenario === null
      ? []
      : [
          {
            label: texts.commands.previousDay,
            keys: "[",
            act: () => void openOtherDay(scenario, -1, activate),
          },
          { label: texts.commands.nextDay, keys: "]", act: () => void openOtherDay(scenario, 1, activate) },
        ]),
    ...may(edits && writesJobs && scenario !== null, {
      label: texts.jobs.newJob,
      keys: "n",
      act: () => openDialog({ kind: "job", jobId: null }),
    }),
    ...actions
      .filter(({ disabled = false }) => !disabled)
      .map(({ name, label, act }) => ({ label, act, ...(name in KEYS ? { keys: KEYS[name] } : {}) })),
    ...may(
      view === "map",
      { label: texts.jobs.title, keys: "1", act: () => openPanel("jobs") },
      { label: texts.runs.title, keys: "2", act: () => openPanel("runs") },
      { label: texts.drivers.title, keys: "3", act: () => openPanel("drivers") },
    ),
    { label: texts.runs.timeline, keys: "t", act: toggleTimeline },
    { label: texts.map.resetView, keys: "0", act: resetMapView },
    { label: texts.scenarios.calendar, keys: "c", act: () => openDialog({ kind: "calendar" }) },
    ...may(watches && view === "map", {
      label: texts.map.menu.liveOverview,
      keys: "l",
      act: () => void navigate("/liveview"),
    }),
  ];
}

/** What a user presses: `Ctrl+Shift+Z`. */
export function keysText(keys: string): string {
  const apple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return keys
    .split("+")
    .map((key) => (key === "mod" ? (apple ? "⌘" : "Ctrl") : key.charAt(0).toUpperCase() + key.slice(1)))
    .join("+");
}
