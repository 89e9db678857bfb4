import { useEffect } from "react";
import { type DialogState, useDialogs } from "../plan/dialogs.ts";
import { type Doing, say } from "../plan/presence.ts";

/** Tells the others which job or run is open here in a dialog or in the inspector. */
export function useSayEditing(): void {
  const top = useDialogs(({ open, inspected }) => open.at(-1) ?? inspected);
  const doing = top == null ? null : editing(top);
  const key = JSON.stringify(doing);
  useEffect(() => {
    say(JSON.parse(key) as Doing | null);
  }, [key]);
}

function editing(dialog: DialogState): Doing | null {
  switch (dialog.kind) {
    case "job":
    case "job-panel":
      return dialog.jobId === null || dialog.pool === true
        ? null
        : { kind: "editing", job_ids: [dialog.jobId] };
    case "attachments":
      return { kind: "editing", job_ids: [dialog.jobId] };
    case "bulk-update":
    case "merge":
      return { kind: "editing", job_ids: dialog.jobIds };
    case "run":
    case "delay":
      return { kind: "editing", run_ids: [dialog.runId] };
    default:
      return null;
  }
}
