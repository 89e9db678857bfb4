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

interface Dialogs {
  /** The last one is on top. */
  open: readonly DialogState[];
}

export const useDialogs = create<Dialogs>(() => ({ open: [] }));

export function openDialog(dialog: DialogState): void {
  useDialogs.setState(({ open }) => ({ open: [...open, dialog] }));
}

/** Closes the dialog on top. */
export function closeDialog(): void {
  useDialogs.setState(({ open }) => ({ open: open.slice(0, -1) }));
}

export function closeAllDialogs(): void {
  useDialogs.setState({ open: [] });
}
