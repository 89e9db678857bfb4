import type { Stored } from "./common.ts";

export type LocationKind = "depot" | "customer" | "other";

/** A saved place of the organisation. */
export interface Location extends Stored {
  uid: string | null;
  name: string | null;
  address: string;
  lat: number;
  lon: number;
  kind: LocationKind;
  organisation_id: number;
}

/** Answer item of `GET /location_options?text=`. */
export interface LocationOption {
  id: string;
  label: string;
}
