import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  TextField,
} from "@mui/material";
import { fill, messageOfError, texts } from "@routewright/web";
import { type SyntheticEvent, useId, useState } from "react";

interface Props {
  /** What has to be typed. */
  name: string;
  title: string;
  text: string;
  /** On the button. */
  yes: string;
  onClose: () => void;
  /** Does it; what it throws is shown and what was typed stays. */
  act: (typed: string) => Promise<void>;
}

/** Asks for the name of what something not easily undone is about to be done to. */
export function TypedNameDialog({ name, title, text, yes, onClose, act }: Props) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await act(typed);
    } catch (error) {
      setProblem(messageOfError(error));
      setBusy(false);
    }
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <form onSubmit={(event) => void submit(event)}>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <DialogContentText>{text}</DialogContentText>
          <TextField
            autoFocus
            label={fill(texts.admin.platform.typeName, { name })}
            value={typed}
            error={problem !== null}
            helperText={problem}
            onChange={(event) => setTyped(event.target.value)}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            type="submit"
            variant="contained"
            color="error"
            disabled={typed.trim() !== name.trim()}
            loading={busy}
          >
            {yes}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
