import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  useMediaQuery,
  useTheme,
} from "@mui/material";
import { isPlaced, type PickPlaceProps, texts } from "@routewright/web";
import { PlaceOnMap } from "@routewright/web/map";
import { useId, useState } from "react";

/** A place is chosen on the map; on phones the dialog fills the screen. */
export function PlaceDialog({ place, onPick, onClose }: PickPlaceProps) {
  const [chosen, setChosen] = useState(place !== null && isPlaced(place) ? place : null);
  const phone = useMediaQuery(useTheme().breakpoints.down("sm"));
  const title = useId();
  return (
    <Dialog
      open
      fullWidth
      maxWidth="md"
      fullScreen={phone}
      aria-labelledby={title}
      onClose={(_event, reason) => {
        if (reason === "escapeKeyDown") onClose();
      }}
    >
      <DialogTitle id={title}>{texts.jobs.locationOnMap}</DialogTitle>
      <DialogContent dividers>
        <PlaceOnMap before={place} onChange={setChosen} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button
          variant="contained"
          disabled={chosen === null}
          onClick={() => {
            if (chosen !== null) onPick(chosen);
          }}
        >
          {texts.jobs.locationUse}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
