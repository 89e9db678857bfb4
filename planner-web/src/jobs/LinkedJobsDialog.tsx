import { fill, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import type { LinkedChoice } from "./linked.ts";

interface LinkedJobsDialogProps {
  /** Of the jobs that would stay behind. */
  uids: readonly string[];
  act: (choice: LinkedChoice | null) => void;
  onClose: () => void;
}

/** What becomes of jobs that are linked to those that are moved. */
export function LinkedJobsDialog({ uids, act, onClose }: LinkedJobsDialogProps): ReactNode {
  const answer = (choice: LinkedChoice | null) => () => {
    onClose();
    act(choice);
  };
  return (
    <ConfirmDialog
      title={texts.jobs.linkedTitle}
      text={fill(texts.jobs.linkedText, { uids: uids.join(", ") })}
      choices={[
        { label: texts.jobs.unlink, act: answer("unlink"), primary: false },
        { label: texts.jobs.takeLinked, act: answer("take") },
      ]}
      onClose={answer(null)}
    />
  );
}
