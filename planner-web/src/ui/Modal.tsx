import type { ReactNode } from "react";
import { DialogFrame, type DialogFrameProps } from "./DialogFrame.tsx";
import { DockButton } from "./DockButton.tsx";
import { UnsavedScope, useLeave, useUnsaved } from "./unsaved.tsx";

export interface ModalProps extends DialogFrameProps {
  /** Whether the dialog's own inputs hold typing that is not saved; forms inside say it with `useUnsaved`. */
  unsaved?: boolean;
}

/** A dialog; Escape, the cross and a click outside ask first where typing would be lost. */
export function Modal(props: ModalProps): ReactNode {
  return (
    <UnsavedScope>
      <Guarded {...props} />
    </UnsavedScope>
  );
}

function Guarded({ unsaved = false, onClose, head, ...rest }: ModalProps): ReactNode {
  const leave = useLeave();
  useUnsaved(unsaved);
  return (
    <DialogFrame
      {...rest}
      head={
        <>
          {head}
          <DockButton />
        </>
      }
      onClose={() => leave(onClose)}
    />
  );
}
