import { texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Button } from "../phone/Button.tsx";
import { Field } from "../phone/Field.tsx";
import { PhoneDialog } from "../phone/PhoneDialog.tsx";
import type { SheetState } from "./use-sheet.ts";

interface NoteDialogProps {
  /** The stop that comes next, which the note is about. */
  job: { id: number; uid: string } | null;
  state: SheetState;
  onClose: () => void;
}

/** A word to the office: late, or cannot go on. It is kept and sent like every record. */
export function NoteDialog({ job, state, onClose }: NoteDialogProps): ReactNode {
  const [note, setNote] = useState("");
  const save = async (): Promise<void> => {
    const safe = await state.record({
      kind: "note",
      what: texts.runsheet.note,
      jobId: job?.id ?? null,
      content: { note: note.trim(), ...(job !== null && { job_uid: job.uid }) },
      files: [],
    });
    if (safe) onClose();
  };
  return (
    <PhoneDialog
      title={texts.runsheet.note}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button kind="filled" disabled={note.trim() === ""} onClick={() => void save()}>
            {texts.runsheet.sendNote}
          </Button>
        </>
      }
    >
      <div className="ph-row">
        {texts.runsheet.notes.map((text) => (
          <Button key={text} kind="toggle" pressed={note === text} onClick={() => setNote(text)}>
            {text}
          </Button>
        ))}
      </div>
      <Field multiline label={texts.runsheet.noteText} value={note} onChange={setNote} />
    </PhoneDialog>
  );
}
