import { Alert, LinearProgress } from "@mui/material";
import { messageOfError, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Modal } from "./Modal.tsx";

interface WaitingProps {
  title: string;
  /** Why there is nothing to wait for any more. */
  error: Error | null;
  onClose: () => void;
}

/** A dialog whose content is still on its way, or did not come. */
export function Waiting({ title, error, onClose }: WaitingProps): ReactNode {
  return (
    <Modal title={title} onClose={onClose}>
      {error === null ? (
        <LinearProgress aria-label={texts.common.loading} />
      ) : (
        <Alert severity="error">{messageOfError(error)}</Alert>
      )}
    </Modal>
  );
}
