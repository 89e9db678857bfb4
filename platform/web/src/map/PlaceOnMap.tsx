import { Box, TextField, Typography } from "@mui/material";
import { type ReactNode, useRef, useState } from "react";
import { request } from "../api/request.ts";
import { isPlaced } from "../forms/place.ts";
import type { Place } from "../model/common.ts";
import type { MapStyleName } from "../model/map.ts";
import type { Schemas } from "../model/schemas.ts";
import { fill, texts } from "../texts/index.ts";
import { type MapPoint, PinMap } from "./PinMap.tsx";

export interface PlaceOnMapProps {
  /** What the field holds; without coordinates only its address counts. */
  before: Place | null;
  /** What was chosen so far. */
  onChange: (place: Place) => void;
  styleName?: MapStyleName | undefined;
}

/**
 * A click on the map sets the place. Its address stays what was typed; where nothing was, it is that of the nearest place
 * that is known.
 */
export function PlaceOnMap({ before, onChange, styleName }: PlaceOnMapProps): ReactNode {
  const [address, setAddress] = useState(before?.address ?? "");
  const [point, setPoint] = useState<MapPoint | null>(
    before !== null && isPlaced(before) ? { lat: before.lat, lon: before.lon } : null,
  );
  const [nearby, setNearby] = useState<Schemas["Nearby"] | null>(null);
  const typed = useRef(address);
  const asked = useRef("");
  const suggested = useRef("");
  const text = point === null ? "" : coordinates(point);

  const tell = (at: MapPoint | null, called: string): void => {
    typed.current = called;
    setAddress(called);
    if (at !== null) onChange({ address: called.trim() === "" ? coordinates(at) : called.trim(), ...at });
  };
  /** Calls a clicked point by what is known there; what was typed stays. */
  const move = async (at: MapPoint): Promise<void> => {
    const here = coordinates(at);
    asked.current = here;
    setPoint(at);
    tell(at, typed.current);
    const found = await request<Schemas["Nearby"]>("/location_options/at", {
      query: { lat: at.lat, lon: at.lon },
      quiet: true,
    }).catch(() => null);
    if (asked.current !== here) return;
    const earlier = suggested.current;
    suggested.current = found?.address ?? "";
    setNearby(found);
    if (typed.current.trim() === "" || typed.current === earlier) tell(at, suggested.current);
  };
  return (
    <>
      <TextField
        fullWidth
        label={texts.jobs.fields.address}
        value={address}
        onChange={(event) => tell(point, event.target.value)}
        helperText={nearby === null ? undefined : fill(texts.jobs.locationNearby, { ...nearby })}
        sx={{ mb: 1.5 }}
      />
      <Box sx={{ position: "relative", height: { xs: "calc(100dvh - 290px)", sm: "min(52vh, 480px)" } }}>
        <PinMap point={point} onMove={(at) => void move(at)} {...(styleName && { styleName })} />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }} aria-live="polite">
        {point === null ? texts.jobs.locationClick : text}
      </Typography>
    </>
  );
}

function coordinates({ lat, lon }: MapPoint): string {
  return `${lat}, ${lon}`;
}
