import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { closeDialog, type DialogState, useDialogs } from "../plan/dialogs.ts";

type PropsOf<K extends DialogState["kind"]> = Extract<DialogState, { kind: K }> & { onClose: () => void };
type Loaders = { [K in DialogState["kind"]]: ComponentType<PropsOf<K>> };

/** Each dialog is loaded when it is first opened. */
const DIALOGS: Loaders = {
  job: lazy(async () => ({ default: (await import("../jobs/JobDialog.tsx")).JobDialog })),
  "job-panel": lazy(async () => ({ default: (await import("../jobs/JobPanelDialog.tsx")).JobPanelDialog })),
  "job-details": lazy(async () => ({
    default: (await import("../jobs/JobDetailsDialog.tsx")).JobDetailsDialog,
  })),
  "job-proof": lazy(async () => ({ default: (await import("../proofs/JobProofDialog.tsx")).JobProofDialog })),
  attachments: lazy(async () => ({
    default: (await import("../jobs/AttachmentsDialog.tsx")).AttachmentsDialog,
  })),
  unit: lazy(async () => ({ default: (await import("../units/UnitDialog.tsx")).UnitDialog })),
  tags: lazy(async () => ({ default: (await import("../jobs/TagsDialog.tsx")).TagsDialog })),
  move: lazy(async () => ({ default: (await import("../runs/MoveDialog.tsx")).MoveDialog })),
  reason: lazy(async () => ({ default: (await import("../moves/ReasonDialog.tsx")).ReasonDialog })),
  "linked-jobs": lazy(async () => ({
    default: (await import("../jobs/LinkedJobsDialog.tsx")).LinkedJobsDialog,
  })),
  question: lazy(async () => ({ default: (await import("../ui/QuestionDialog.tsx")).QuestionDialog })),
  "merge-places": lazy(async () => ({
    default: (await import("../jobs/BulkMergeDialog.tsx")).BulkMergeDialog,
  })),
  "bulk-update": lazy(async () => ({
    default: (await import("../jobs/BulkUpdateDialog.tsx")).BulkUpdateDialog,
  })),
  "search-proofs": lazy(async () => ({
    default: (await import("../proofs/SearchProofsDialog.tsx")).SearchProofsDialog,
  })),
  merge: lazy(async () => ({ default: (await import("../jobs/MergeDialog.tsx")).MergeDialog })),
  "import-jobs": lazy(async () => ({ default: (await import("../imports/ImportDialog.tsx")).ImportDialog })),
  "import-drivers": lazy(async () => ({
    default: (await import("../imports/DriverImportDialog.tsx")).DriverImportDialog,
  })),
  driver: lazy(async () => ({ default: (await import("../drivers/DriverDialog.tsx")).DriverDialog })),
  scenario: lazy(async () => ({ default: (await import("../scenarios/ScenarioDialog.tsx")).ScenarioDialog })),
  "scenario-details": lazy(async () => ({
    default: (await import("../scenarios/ScenarioDetailsDialog.tsx")).ScenarioDetailsDialog,
  })),
  "duplicate-scenario": lazy(async () => ({
    default: (await import("../scenarios/DuplicateDialog.tsx")).DuplicateDialog,
  })),
  "delete-scenario": lazy(async () => ({
    default: (await import("../scenarios/DeleteDialog.tsx")).DeleteDialog,
  })),
  calendar: lazy(async () => ({ default: (await import("../scenarios/CalendarDialog.tsx")).CalendarDialog })),
  run: lazy(async () => ({ default: (await import("../runs/RunDialog.tsx")).RunDialog })),
  delay: lazy(async () => ({ default: (await import("../runs/DelayDialog.tsx")).DelayDialog })),
  "advanced-routing": lazy(async () => ({
    default: (await import("../optimise/AdvancedRoutingDialog.tsx")).AdvancedRoutingDialog,
  })),
  "start-route": lazy(async () => ({
    default: (await import("../runs/StartRouteDialog.tsx")).StartRouteDialog,
  })),
  "finish-run": lazy(async () => ({
    default: (await import("../runs/FinishRunDialog.tsx")).FinishRunDialog,
  })),
  optimise: lazy(async () => ({ default: (await import("../optimise/OptimiseDialog.tsx")).OptimiseDialog })),
  "optimisation-summary": lazy(async () => ({
    default: (await import("../optimise/SummaryDialog.tsx")).SummaryDialog,
  })),
  diagnosis: lazy(async () => ({ default: (await import("../doctor/DiagnosisDialog.tsx")).DiagnosisDialog })),
  problems: lazy(async () => ({ default: (await import("../doctor/ProblemsDialog.tsx")).ProblemsDialog })),
  violations: lazy(async () => ({
    default: (await import("../runs/ViolationsDialog.tsx")).ViolationsDialog,
  })),
  dispatch: lazy(async () => ({ default: (await import("../dispatch/DispatchDialog.tsx")).DispatchDialog })),
  validate: lazy(async () => ({ default: (await import("../runs/ValidateDialog.tsx")).ValidateDialog })),
  "run-sheet": lazy(async () => ({
    default: (await import("../dispatch/RunSheetDialog.tsx")).RunSheetDialog,
  })),
  "tracking-links": lazy(async () => ({
    default: (await import("../tracking/TrackingLinksDialog.tsx")).TrackingLinksDialog,
  })),
  "ui-settings": lazy(async () => ({
    default: (await import("../settings/UiSettingsDialog.tsx")).UiSettingsDialog,
  })),
  "account-settings": lazy(async () => ({
    default: (await import("../settings/AccountSettingsDialog.tsx")).AccountSettingsDialog,
  })),
};

/** The open dialogs, one over the other. */
export function Dialogs(): ReactNode {
  const open = useDialogs((state) => state.open);
  return (
    <Suspense fallback={null}>
      {open.map((dialog, index) => (
        <OneDialog key={`${index}-${dialog.kind}`} dialog={dialog} />
      ))}
    </Suspense>
  );
}

function OneDialog({ dialog }: { dialog: DialogState }): ReactNode {
  // The table above pairs each kind with its own properties, which TypeScript cannot follow through an index.
  const Shown = DIALOGS[dialog.kind] as ComponentType<DialogState & { onClose: () => void }>;
  return <Shown {...dialog} onClose={closeDialog} />;
}
