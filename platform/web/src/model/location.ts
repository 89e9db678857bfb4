import type { Refined, Schemas } from "./schemas.ts";

export type LocationKind = "depot" | "customer" | "other";

/** A saved place of the organisation. */
export type Location = Refined<
  Schemas["KnownLocation"],
  {
    kind: LocationKind;
  }
>;

/** Answer item of `GET /location_options?text=`. */
export type LocationOption = Schemas["LocationOption"];
