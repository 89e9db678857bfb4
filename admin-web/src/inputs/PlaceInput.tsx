import { isPlaced, lazyPart, PlaceField, texts } from "@routewright/web";
import type { Place } from "@routewright/web/model";

import { type BoundProps, useBound } from "./bound.ts";
import type { Check } from "./validators.ts";

const PlaceDialog = lazyPart(async () => (await import("./PlaceDialog.tsx")).PlaceDialog);

/** Typing for which no place was chosen is told, never dropped. */
const placed: Check = (place) =>
  place && !isPlaced(place as Place) ? texts.jobs.locationUnplaced : undefined;

/** An address, looked up while typing or chosen on the map; `lat, lon` typed as text is a place too. */
export function PlaceInput(props: BoundProps) {
  const bound = useBound(props, placed);
  const place = (bound.value as Place | null | undefined) ?? null;
  const where = place !== null && isPlaced(place) ? `${place.lat.toFixed(5)}, ${place.lon.toFixed(5)}` : " ";
  return (
    <PlaceField
      name={bound.name}
      label={bound.label}
      required={bound.required}
      value={place}
      onChange={bound.set}
      problem={bound.error}
      help={props.helperText ?? where}
      picker={PlaceDialog}
    />
  );
}
