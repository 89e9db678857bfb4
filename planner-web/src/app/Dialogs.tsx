import { lazyPart } from "@routewright/web";
import { type ComponentType, type ReactNode, Suspense } from "react";
import { closeDialog, type DialogState, isDetails, useDialogs } from "../plan/dialogs.ts";
import { DockContext } from "../ui/dock.ts";

type PropsOf<K extends DialogState["kind"]> = Extract<DialogState, { kind: K }> & { onClose: () => void };
type Loaders = { [K in DialogState["kind"]]: ComponentType<PropsOf<K>> };

/** Each dialog is loaded when it is first opened. */
const DIALOGS: Loaders = {
  job: lazyPart(async () => (await import("../jobs/JobDialog.tsx")).JobDialog),
  "job-panel": lazyPart(async () => (await import("../jobs/JobPanelDialog.tsx")).JobPanelDialog),
  "job-details": lazyPart(async () => (await import("../jobs/JobDetailsDialog.tsx")).JobDetailsDialog),
  "job-proof": lazyPart(async () => (await import("../proofs/JobProofDialog.tsx")).JobProofDialog),
  attachments: lazyPart(async () => (await import("../jobs/AttachmentsDialog.tsx")).AttachmentsDialog),
  unit: lazyPart(async () => (await import("../units/UnitDialog.tsx")).UnitDialog),
  tags: lazyPart(async () => (await import("../jobs/TagsDialog.tsx")).TagsDialog),
  move: lazyPart(async () => (await import("../runs/MoveDialog.tsx")).MoveDialog),
  reason: lazyPart(async () => (await import("../moves/ReasonDialog.tsx")).ReasonDialog),
  "linked-jobs": lazyPart(async () => (await import("../jobs/LinkedJobsDialog.tsx")).LinkedJobsDialog),
  question: lazyPart(async () => (await import("../ui/QuestionDialog.tsx")).QuestionDialog),
  "merge-places": lazyPart(async () => (await import("../jobs/BulkMergeDialog.tsx")).BulkMergeDialog),
  "bulk-update": lazyPart(async () => (await import("../jobs/BulkUpdateDialog.tsx")).BulkUpdateDialog),
  "search-proofs": lazyPart(
    async () => (await import("../proofs/SearchProofsDialog.tsx")).SearchProofsDialog,
  ),
  merge: lazyPart(async () => (await import("../jobs/MergeDialog.tsx")).MergeDialog),
  "import-jobs": lazyPart(async () => (await import("../imports/ImportDialog.tsx")).ImportDialog),
  "import-drivers": lazyPart(
    async () => (await import("../imports/DriverImportDialog.tsx")).DriverImportDialog,
  ),
  addresses: lazyPart(async () => (await import("../locations/AddressesDialog.tsx")).AddressesDialog),
  driver: lazyPart(async () => (await import("../drivers/DriverDialog.tsx")).DriverDialog),
  scenario: lazyPart(async () => (await import("../scenarios/ScenarioDialog.tsx")).ScenarioDialog),
  "scenario-details": lazyPart(
    async () => (await import("../scenarios/ScenarioDetailsDialog.tsx")).ScenarioDetailsDialog,
  ),
  "duplicate-scenario": lazyPart(
    async () => (await import("../scenarios/DuplicateDialog.tsx")).DuplicateDialog,
  ),
  "delete-scenario": lazyPart(async () => (await import("../scenarios/DeleteDialog.tsx")).DeleteDialog),
  calendar: lazyPart(async () => (await import("../scenarios/CalendarDialog.tsx")).CalendarDialog),
  run: lazyPart(async () => (await import("../runs/RunDialog.tsx")).RunDialog),
  delay: lazyPart(async () => (await import("../runs/DelayDialog.tsx")).DelayDialog),
  "advanced-routing": lazyPart(
    async () => (await import("../optimise/AdvancedRoutingDialog.tsx")).AdvancedRoutingDialog,
  ),
  "start-route": lazyPart(async () => (await import("../runs/StartRouteDialog.tsx")).StartRouteDialog),
  "finish-run": lazyPart(async () => (await import("../runs/FinishRunDialog.tsx")).FinishRunDialog),
  optimise: lazyPart(async () => (await import("../optimise/OptimiseDialog.tsx")).OptimiseDialog),
  "optimisation-summary": lazyPart(async () => (await import("../optimise/SummaryDialog.tsx")).SummaryDialog),
  diagnosis: lazyPart(async () => (await import("../doctor/DiagnosisDialog.tsx")).DiagnosisDialog),
  problems: lazyPart(async () => (await import("../doctor/ProblemsDialog.tsx")).ProblemsDialog),
  violations: lazyPart(async () => (await import("../runs/ViolationsDialog.tsx")).ViolationsDialog),
  "another-day": lazyPart(async () => (await import("../live/AnotherDayDialog.tsx")).AnotherDayDialog),
  dispatch: lazyPart(async () => (await import("../dispatch/DispatchDialog.tsx")).DispatchDialog),
  undelivered: lazyPart(async () => (await import("../dispatch/UndeliveredDialog.tsx")).UndeliveredDialog),
  validate: lazyPart(async () => (await import("../runs/ValidateDialog.tsx")).ValidateDialog),
  "run-sheet": lazyPart(async () => (await import("../dispatch/RunSheetDialog.tsx")).RunSheetDialog),
  "tracking-links": lazyPart(
    async () => (await import("../tracking/TrackingLinksDialog.tsx")).TrackingLinksDialog,
  ),
  evidence: lazyPart(async () => (await import("../evidence/EvidenceDialog.tsx")).EvidenceDialog),
  requests: lazyPart(async () => (await import("../requests/RequestsDialog.tsx")).RequestsDialog),
  commands: lazyPart(async () => (await import("../commands/CommandDialog.tsx")).CommandDialog),
  rehearsal: lazyPart(async () => (await import("./Rehearse.tsx")).Rehearse),
  "ui-settings": lazyPart(async () => (await import("../settings/UiSettingsDialog.tsx")).UiSettingsDialog),
  "account-settings": lazyPart(
    async () => (await import("../settings/AccountSettingsDialog.tsx")).AccountSettingsDialog,
  ),
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
  return (
    <DockContext value={isDetails(dialog) ? "over" : null}>
      <DialogPart dialog={dialog} onClose={closeDialog} />
    </DockContext>
  );
}

/** What is shown of a dialog's kind. */
export function DialogPart({ dialog, onClose }: { dialog: DialogState; onClose: () => void }): ReactNode {
  // The table above pairs each kind with its own properties, which TypeScript cannot follow through an index.
  const Shown = DIALOGS[dialog.kind] as ComponentType<DialogState & { onClose: () => void }>;
  return <Shown {...dialog} onClose={onClose} />;
}
