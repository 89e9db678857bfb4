import { Box, Button, Typography } from "@mui/material";
import { fill, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { ReasonChoice } from "../scenarios/ReasonChoice.tsx";
import { Modal } from "../ui/Modal.tsx";

interface ReasonDialogProps {
  /** Uids. */
  runs: readonly string[];
  act: (reasonId: number | null) => void;
  onClose: () => void;
}

/** Why dispatched runs are changed, before it happens. */
export function ReasonDialog({ runs, act, onClose }: ReasonDialogProps): ReactNode {
  const [why, setWhy] = useState<number | null>(null);
  return (
    <Modal
      title={texts.runs.changeDispatched}
      width={440}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            autoFocus
            variant="contained"
            onClick={() => {
              onClose();
              act(why);
            }}
          >
            {texts.common.confirm}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2 }}>
        <Typography>{fill(texts.runs.changeDispatchedText, { uids: runs.join(", ") })}</Typography>
        <ReasonChoice value={why} onChange={setWhy} />
      </Box>
    </Modal>
  );
}
