import { Box, Button, TextField, Typography } from "@mui/material";
import { isPlaced, type Place, texts } from "@routewright/web";
import { Marker } from "maplibre-gl";
import { type ReactNode, useRef, useState } from "react";
import type { CompatibleMap } from "../map/google-compatible.ts";
import { MapView } from "../map/MapView.tsx";
import { lookWhereLast } from "../map/last-view.ts";
import { Modal } from "../ui/Modal.tsx";

/** Near enough to hit a door. */
const NEAR = 16;
/** Decimals of a clicked coordinate: about a decimetre. */
const DECIMALS = 6;

interface PickPlaceDialogProps {
  /** What the field holds; without coordinates only its address counts. */
  place: Place | null;
  onPick: (place: Place) => void;
  onClose: () => void;
}

/** A click on the map sets the place; the address stays what was typed. */
export function PickPlaceDialog({ place, onPick, onClose }: PickPlaceDialogProps): ReactNode {
  const before = place !== null && isPlaced(place) ? { lat: place.lat, lon: place.lon } : null;
  const [address, setAddress] = useState(place?.address ?? "");
  const [point, setPoint] = useState(before);
  const marker = useRef<Marker | null>(null);
  const show = (map: CompatibleMap): void => {
    const { libre } = map;
    if (before === null) lookWhereLast(libre);
    else libre.jumpTo({ center: [before.lon, before.lat], zoom: NEAR });
    const put = ({ lat, lng }: { lat: number; lng: number }): void => {
      if (marker.current === null) {
        const pin = new Marker({ draggable: true }).setLngLat([lng, lat]).addTo(libre);
        pin.on("dragend", () => put(pin.getLngLat()));
        marker.current = pin;
      }
      marker.current.setLngLat([lng, lat]);
      setPoint({ lat: Number(lat.toFixed(DECIMALS)), lon: Number(lng.toFixed(DECIMALS)) });
    };
    if (before !== null) put({ lat: before.lat, lng: before.lon });
    libre.on("click", ({ lngLat }) => put(lngLat));
    libre.getCanvas().style.cursor = "crosshair";
  };
  const text = point === null ? "" : `${point.lat}, ${point.lon}`;
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
            disabled={point === null}
            onClick={() => {
              if (point !== null)
                onPick({ address: address.trim() === "" ? text : address.trim(), ...point });
            }}
          >
            {texts.jobs.locationUse}
          </Button>
        </>
      }
    >
      <TextField
        fullWidth
        label={texts.jobs.fields.address}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        sx={{ mb: 1.5 }}
      />
      <Box sx={{ position: "relative", height: "min(52vh, 480px)" }}>
        <MapView onReady={show} />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }} aria-live="polite">
        {point === null ? texts.jobs.locationClick : text}
      </Typography>
    </Modal>
  );
}
