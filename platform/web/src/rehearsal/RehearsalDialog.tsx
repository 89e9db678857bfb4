import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  ToggleButton,
  ToggleButtonGroup,
} from "@mui/material";
import { type ReactNode, useEffect, useState } from "react";
import { messageOfError } from "../api/error.ts";
import { fill, texts } from "../texts/index.ts";
import { dateText } from "../units/time.ts";
import {
  beginRehearsal,
  currentRehearsal,
  enterRehearsal,
  type Rehearsal,
  SPEEDS,
  useMayRehearse,
} from "./rehearsal.ts";
import { SeedField, seedOf } from "./SeedField.tsx";

export interface RehearsalDialogProps {
  close: () => void;
}

/** Makes a rehearsal, or leads into the one that is there. */
export function RehearsalDialog({ close }: RehearsalDialogProps): ReactNode {
  const may = useMayRehearse();
  const [there, setThere] = useState<Rehearsal | null | undefined>(undefined);
  const [typed, setTyped] = useState("");
  const [speed, setSpeed] = useState(5);
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const seed = seedOf(typed);
  useEffect(() => {
    void currentRehearsal().then(setThere, (error: unknown) => setProblem(messageOfError(error)));
  }, []);
  const work = async (what: () => Promise<void>): Promise<void> => {
    setWorking(true);
    setProblem(null);
    try {
      await what();
    } catch (error) {
      setProblem(fill(texts.rehearsal.failed, { error: messageOfError(error) }));
      setWorking(false);
    }
  };
  const go = (): Promise<void> => (there ? enterRehearsal(there) : beginRehearsal(seed ?? null, speed));
  return (
    <Dialog open onClose={close} fullWidth maxWidth="xs">
      <DialogTitle>{texts.rehearsal.title}</DialogTitle>
      <DialogContent>
        <DialogContentText>{texts.rehearsal.offerHelp}</DialogContentText>
        {there ? (
          <Alert severity="info" sx={{ mt: 2 }}>
            {fill(texts.rehearsal.there, {
              by: there.made_by ?? texts.rehearsal.somebody,
              seed: there.seed,
              day: dateText(there.remove_at.slice(0, 10)),
            })}
          </Alert>
        ) : (
          <>
            <SeedField typed={typed} type={setTyped} />
            <ToggleButtonGroup
              exclusive
              size="small"
              value={speed}
              aria-label={texts.rehearsal.speed}
              onChange={(_, chosen: number | null) => chosen !== null && setSpeed(chosen)}
            >
              {SPEEDS.map((each) => (
                <ToggleButton
                  key={each}
                  value={each}
                  aria-label={fill(texts.rehearsal.speedOf, { n: each })}
                >{`×${each}`}</ToggleButton>
              ))}
            </ToggleButtonGroup>
          </>
        )}
        {problem !== null && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={close}>{texts.rehearsal.cancel}</Button>
        <Button
          variant="contained"
          loading={working}
          disabled={there === undefined || (!there && (!may.make || seed === undefined))}
          onClick={() => void work(go)}
        >
          {there ? texts.rehearsal.enter : texts.rehearsal.start}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
