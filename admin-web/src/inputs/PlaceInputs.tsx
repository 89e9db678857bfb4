import { isPlaced, lazyPart, type Place, PlaceField, texts } from "@routewright/web";
import { useFormContext, useWatch } from "react-hook-form";

import { useBound } from "./bound.ts";
import { Row } from "./layout.tsx";
import { NumberInput } from "./NumberInput.tsx";
import { between, needed, notBlank } from "./validators.ts";

const PlaceDialog = lazyPart(async () => (await import("./PlaceDialog.tsx")).PlaceDialog);

interface Fields {
  address?: string | null;
  lat?: number | null;
  lon?: number | null;
}

/** The place of a record that holds its `address`, `lat` and `lon` itself: searched, chosen on the map, or typed. */
export function PlaceInputs() {
  const address = useBound({ source: "address", validate: [needed(), notBlank] });
  const { setValue } = useFormContext<Fields>();
  const [lat, lon] = useWatch<Fields, ["lat", "lon"]>({ name: ["lat", "lon"] });
  const text = (address.value as string | null | undefined) ?? "";
  const place: Place | null =
    text === "" ? null : { address: text, lat: lat ?? Number.NaN, lon: lon ?? Number.NaN };
  const take = (chosen: Place | null): void => {
    address.set(chosen?.address ?? "");
    // Coordinates that were typed by hand stay while only the words change.
    if (chosen === null || !isPlaced(chosen)) return;
    setValue("lat", chosen.lat, { shouldDirty: true, shouldValidate: true });
    setValue("lon", chosen.lon, { shouldDirty: true, shouldValidate: true });
  };
  return (
    <>
      <PlaceField
        name={address.name}
        label={address.label}
        required
        value={place}
        onChange={take}
        problem={address.error}
        help={texts.admin.locations.placeHelp}
        picker={PlaceDialog}
      />
      <Row>
        <NumberInput source="lat" validate={[needed(), between(-90, 90)]} />
        <NumberInput source="lon" validate={[needed(), between(-180, 180)]} />
      </Row>
    </>
  );
}
