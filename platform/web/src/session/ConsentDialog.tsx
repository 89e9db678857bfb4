import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  Typography,
} from "@mui/material";
import { type ReactNode, useState } from "react";
import { texts } from "../texts/index.ts";
import { changeOwnUser } from "./session.ts";
import { useSession } from "./store.ts";

/** Above every panel of the map. */
const Z_INDEX = 2600;

/** Asks for personal data consent at the first sign-in. Without `onClose` neither Escape nor a click outside closes it. */
export function ConsentDialog(): ReactNode {
  const open = useSession(
    (state) => state.user !== null && !state.user.personal_data_consent && state.workingIn === null,
  );
  const [ticked, setTicked] = useState(false);
  const [saving, setSaving] = useState(false);
  const confirm = async (): Promise<void> => {
    setSaving(true);
    // A failure is toasted by the request; the dialog stays open.
    await changeOwnUser({ personal_data_consent: true }).catch(() => undefined);
    setSaving(false);
  };
  return (
    <Dialog
      open={open}
      sx={{ zIndex: Z_INDEX }}
      slotProps={{ paper: { sx: { width: 600, maxWidth: "100%" } } }}
      aria-labelledby="consent-title"
    >
      <DialogTitle id="consent-title">{texts.session.consentTitle}</DialogTitle>
      <DialogContent>
        <Typography sx={{ mb: 2 }}>{texts.session.consentText}</Typography>
        <FormControlLabel
          control={<Checkbox checked={ticked} onChange={(_, checked) => setTicked(checked)} />}
          label={texts.session.consentTick}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" disabled={!ticked} loading={saving} onClick={() => void confirm()}>
          {texts.common.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
