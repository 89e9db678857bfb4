import { Box, Button, TextField, Typography } from "@mui/material";
import { fill, isPlaced, type Place, request, texts } from "@routewright/web";
import type { Schemas } from "@routewright/web/model";
import { Marker } from "maplibre-gl";
import { type ReactNode, useRef, useState } from "react";
import type { CompatibleMap } from "../map/google-compatible.ts";
import { MapView } from "../map/MapView.tsx";
import { lookWhereLast } from "../map/last-view.ts";
import { Modal } from "../ui/Modal.tsx";

/** Near enough to hit a door. */
const NEAR = 16;
/** A part of the town, to find the street in. */
const AROUND = 14;
/** Decimals of a clicked coordinate: about a decimetre. */
const DECIMALS = 6;

interface PickPlaceDialogProps {
  /** What the field holds; without coordinates only its address counts. */
  place: Place | null;
  onPick: (place: Place) => void;
  onClose: () => void;
}

/**
 * A click on the map sets the place. Its address stays what was typed; where nothing was, it is that of the nearest place
 * that is known.
 */
export function PickPlaceDialog({ place, onPick, onClose }: PickPlaceDialogProps): ReactNode {
  const before = place !== null && isPlaced(place) ? { lat: place.lat, lon: place.lon } : null;
  const [address, setAddress] = useState(place?.address ?? "");
  const [point, setPoint] = useState(before);
  const [nearby, setNearby] = useState<Schemas["Nearby"] | null>(null);
  const marker = useRef<Marker | null>(null);
  const asked = useRef("");
  const suggested = useRef("");
  /** Calls a clicked point by what is known there; what was typed stays. */
  const name = async (lat: number, lon: number): Promise<void> => {
    asked.current = `${lat}, ${lon}`;
    const here = asked.current;
    const found = await request<Schemas["Nearby"]>("/location_options/at", {
      query: { lat, lon },
      quiet: true,
    }).catch(() => null);
    if (asked.current !== here) return;
    const before = suggested.current;
    suggested.current = found?.address ?? "";
    setNearby(found);
    setAddress((typed) => (typed.trim() === "" || typed === before ? suggested.current : typed));
  };
  const show = (map: CompatibleMap): void => {
    const { libre } = map;
    if (before === null) lookWhereLast(libre, AROUND);
    else libre.jumpTo({ center: [before.lon, before.lat], zoom: NEAR });
    const put = ({ lat, lng }: { lat: number; lng: number }, chosen: boolean): void => {
      if (marker.current === null) {
        const pin = new Marker({ draggable: true }).setLngLat([lng, lat]).addTo(libre);
        pin.on("dragend", () => put(pin.getLngLat(), true));
        marker.current = pin;
      }
      marker.current.setLngLat([lng, lat]);
      const at = { lat: Number(lat.toFixed(DECIMALS)), lon: Number(lng.toFixed(DECIMALS)) };
      setPoint(at);
      if (chosen) void name(at.lat, at.lon);
    };
    if (before !== null) put({ lat: before.lat, lng: before.lon }, false);
    libre.on("click", ({ lngLat }) => put(lngLat, true));
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
        helperText={nearby === null ? undefined : fill(texts.jobs.locationNearby, { ...nearby })}
        sx={{ mb: 1.5 }}
      />
      <Box sx={{ position: "relative", height: { xs: "calc(100dvh - 290px)", sm: "min(52vh, 480px)" } }}>
        <MapView onReady={show} />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }} aria-live="polite">
        {point === null ? texts.jobs.locationClick : text}
      </Typography>
    </Modal>
  );
}
