import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from "@mui/material";
import { type ReactNode, useState } from "react";
import { messageOfError } from "../api/error.ts";
import { fill, texts } from "../texts/index.ts";
import { removeRehearsal, startAgain } from "./rehearsal.ts";
import { SeedField, seedOf } from "./SeedField.tsx";

interface StartAgainDialogProps {
  /** Of the day that is rehearsed. */
  seed: number | null;
  close: () => void;
}

/** Another day in place of the one that is rehearsed, or none. */
export function StartAgainDialog({ seed: old, close }: StartAgainDialogProps): ReactNode {
  const [typed, setTyped] = useState(old === null ? "" : String(old));
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const seed = seedOf(typed);
  const work = async (what: () => Promise<void>): Promise<void> => {
    setWorking(true);
    try {
      await what();
    } catch (error) {
      setProblem(fill(texts.rehearsal.failed, { error: messageOfError(error) }));
      setWorking(false);
    }
  };
  return (
    <Dialog open onClose={close} fullWidth maxWidth="xs">
      <DialogTitle>{texts.rehearsal.startAgain}</DialogTitle>
      <DialogContent>
        <DialogContentText>{texts.rehearsal.startAgainHelp}</DialogContentText>
        <SeedField typed={typed} type={setTyped} />
        {problem !== null && <Alert severity="error">{problem}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button
          color="error"
          disabled={working}
          onClick={() => void work(removeRehearsal)}
          sx={{ mr: "auto" }}
        >
          {texts.rehearsal.remove}
        </Button>
        <Button onClick={close}>{texts.rehearsal.cancel}</Button>
        <Button
          variant="contained"
          loading={working}
          disabled={seed === undefined}
          onClick={() => seed !== undefined && void work(() => startAgain(seed))}
        >
          {texts.rehearsal.startAgain}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
