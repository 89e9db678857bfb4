import { Alert, Box, Button, TextField, Typography } from "@mui/material";
import { fill, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Modal } from "../ui/Modal.tsx";
import type { Blocked } from "./preflight.ts";

/** Most problems listed of one run. */
const MOST = 5;

interface PreflightDialogProps {
  blocked: readonly Blocked[];
  /** Jobs of the scenario that are on no run. */
  unserved: number;
  onSend: (reason: string) => void;
  onClose: () => void;
}

/** What is wrong with the runs that are about to be sent; they go out with a reason only. */
export function PreflightDialog({ blocked, unserved, onSend, onClose }: PreflightDialogProps): ReactNode {
  const [reason, setReason] = useState("");
  const given = reason.trim();
  return (
    <Modal
      title={texts.dispatch.checkTitle}
      width={620}
      sticky
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" color="warning" disabled={given === ""} onClick={() => onSend(given)}>
            {texts.dispatch.sendAnyway}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 1.5 }}>
        <Typography>{texts.dispatch.checkText}</Typography>
        {blocked.map(({ runId, uid, problems }) => (
          <Alert key={runId} severity="error">
            <Typography variant="subtitle2">{uid}</Typography>
            {problems.slice(0, MOST).map(({ kind, text }, index) => (
              <Typography key={index} variant="body2">
                {texts.problems.kinds[kind]}: {text}
              </Typography>
            ))}
            {problems.length > MOST && (
              <Typography variant="body2">
                {fill(texts.dispatch.moreProblems, { n: problems.length - MOST })}
              </Typography>
            )}
          </Alert>
        ))}
        {unserved > 0 && <Alert severity="info">{fill(texts.dispatch.unservedLeft, { n: unserved })}</Alert>}
        <TextField
          label={texts.dispatch.reason}
          value={reason}
          required
          autoFocus
          slotProps={{ htmlInput: { maxLength: 500 } }}
          onChange={(event) => setReason(event.target.value)}
        />
      </Box>
    </Modal>
  );
}
