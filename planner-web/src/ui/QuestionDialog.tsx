import type { ReactNode } from "react";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

interface QuestionDialogProps {
  title: string;
  text: string;
  yes: string;
  answer: (yes: boolean) => void;
  onClose: () => void;
}

/** A question that somebody waits for the answer of; every way out but the one choice is a no. */
export function QuestionDialog({ title, text, yes, answer, onClose }: QuestionDialogProps): ReactNode {
  const end = (said: boolean): void => {
    onClose();
    answer(said);
  };
  return (
    <ConfirmDialog
      title={title}
      text={text}
      choices={[{ label: yes, act: () => end(true) }]}
      onClose={() => end(false)}
    />
  );
}
