import { create } from "zustand";

/** Every dialog of the map page with what it needs. */
export type DialogState =
  | { kind: "job"; jobId: number | null; pool?: boolean }
  | { kind: "job-panel"; jobId: number | null; pool?: boolean }
  | { kind: "job-details"; jobId: number }
  | { kind: "job-proof"; jobId: number }
  | { kind: "attachments"; jobId: number }
  | { kind: "unit"; unitId: number }
  | { kind: "tags"; jobIds: number[]; fromPool?: boolean }
  | { kind: "move"; jobIds: number[] }
  | { kind: "reason"; runs: readonly string[]; act: (reasonId: number | null) => void }
  | { kind: "linked-jobs"; uids: readonly string[]; act: (choice: "take" | "unlink" | null) => void }
  | { kind: "question"; title: string; text: string; yes: string; answer: (yes: boolean) => void }
  | { kind: "merge"; jobIds: number[] }
  | { kind: "merge-places"; jobIds: number[] }
  | { kind: "bulk-update"; jobIds: number[] }
  | { kind: "search-proofs" }
  | { kind: "import-jobs" }
  | { kind: "import-drivers" }
  | { kind: "addresses" }
  | { kind: "driver"; driverId: number | null }
  | { kind: "scenario"; scenarioId: number | null }
  | { kind: "scenario-details"; scenarioId: number }
  | { kind: "duplicate-scenario"; scenarioId: number }
  | { kind: "delete-scenario"; scenarioId: number }
  | { kind: "calendar" }
  | { kind: "run"; runId: number }
  | { kind: "delay"; runId: number }
  | { kind: "advanced-routing"; runId: number }
  | { kind: "start-route"; runId: number }
  | { kind: "finish-run"; runId: number }
  | { kind: "optimise" }
  | { kind: "optimisation-summary" }
  | { kind: "diagnosis"; jobId: number }
  | { kind: "problems" }
  | { kind: "violations" }
  | { kind: "another-day"; jobId: number }
  | { kind: "dispatch" }
  | { kind: "undelivered" }
  | { kind: "validate"; runIds: number[] }
  | { kind: "run-sheet"; runId: number }
  | { kind: "tracking-links" }
  | { kind: "evidence" }
  | { kind: "requests" }
  | { kind: "commands" }
  | { kind: "rehearsal" }
  | { kind: "ui-settings" }
  | { kind: "account-settings" };

/** What is shown or edited of one job or run, which may stand beside the map instead of over it. */
export type Details = Extract<DialogState, { kind: "job-details" | "job" | "run" }>;

interface Dialogs {
  /** The last one is on top. */
  open: readonly DialogState[];
  /** What the inspector beside the map shows; undefined while there is no inspector. */
  inspected: Details | null | undefined;
}

export const useDialogs = create<Dialogs>(() => ({ open: [], inspected: undefined }));

const set = useDialogs.setState;

export function isDetails(dialog: DialogState | undefined): dialog is Details {
  if (dialog?.kind === "job") return dialog.jobId !== null;
  return dialog?.kind === "job-details" || dialog?.kind === "run";
}

/** Details go to the inspector if there is one that no dialog covers. */
export function openDialog(dialog: DialogState): void {
  set(({ open, inspected }) =>
    inspected !== undefined && open.length === 0 && isDetails(dialog)
      ? { inspected: dialog }
      : { open: [...open, dialog] },
  );
}

/** Closes the dialog on top. */
export function closeDialog(): void {
  set(({ open }) => ({ open: open.slice(0, -1) }));
}

export function closeAllDialogs(): void {
  set(({ inspected }) => ({ open: [], inspected: inspected && null }));
}

/** From now on there is an inspector: it takes over the details that are open. */
export function beginInspecting(): void {
  set(({ open: [first, ...others] }) =>
    others.length === 0 && isDetails(first) ? { open: [], inspected: first } : { inspected: null },
  );
}

/** The inspector goes on showing this. */
export function keepInspected(details: Details): void {
  set({ inspected: details });
}

/** Who has edited a job sees it again; else the inspector goes. */
export function closeInspected(): void {
  set(({ inspected }) => ({
    inspected:
      inspected?.kind === "job" && inspected.jobId !== null
        ? { kind: "job-details", jobId: inspected.jobId }
        : null,
  }));
}

/** There is no inspector any more: what it shows goes on as a dialog. */
export function endInspecting(): void {
  set(({ open, inspected }) => ({
    open: inspected == null ? open : [inspected, ...open],
    inspected: undefined,
  }));
}
