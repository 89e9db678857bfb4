import { type ReactNode, useEffect, useId, useRef } from "react";

interface PhoneDialogProps {
  title: string;
  actions: ReactNode;
  children?: ReactNode;
  onClose: () => void;
}

/** The browser's own dialog over the page; nothing behind it can be reached while it is open. */
export function PhoneDialog({ title, actions, children, onClose }: PhoneDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const named = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="ph-dialog"
      aria-labelledby={named}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="ph-stack">
        <h2 id={named}>{title}</h2>
        {children}
        <div className="ph-row" style={{ justifyContent: "flex-end" }}>
          {actions}
        </div>
      </div>
    </dialog>
  );
}
