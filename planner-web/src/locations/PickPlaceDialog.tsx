import { Button } from "@mui/material";
import { isPlaced, type PickPlaceProps, texts } from "@routewright/web";
import { PlaceOnMap } from "@routewright/web/map";
import { type ReactNode, useState } from "react";
import { useMapSettings } from "../map/settings.ts";
import { Modal } from "../ui/Modal.tsx";

/** A place is chosen on the map. */
export function PickPlaceDialog({ place, onPick, onClose }: PickPlaceProps): ReactNode {
  const [chosen, setChosen] = useState(place !== null && isPlaced(place) ? place : null);
  const styleName = useMapSettings((settings) => settings.mapStyle);
  return (
    <Modal
      title={texts.jobs.locationOnMap}
      width={760}
      sticky
      onClose={onClose}
      actions={
        <>
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
        </>
      }
    >
      <PlaceOnMap before={place} onChange={setChosen} styleName={styleName} />
    </Modal>
  );
}
