import { lazyPart, PlaceField, type PlaceFieldProps } from "@routewright/web";
import type { ReactNode } from "react";

const PickPlaceDialog = lazyPart(async () => (await import("./PickPlaceDialog.tsx")).PickPlaceDialog);

/** A place chosen from suggestions or on the map, or typed as "lat, lon". */
export function LocationField(props: Omit<PlaceFieldProps, "picker">): ReactNode {
  return <PlaceField {...props} picker={PickPlaceDialog} />;
}
