import type { Schemas } from "./schemas.ts";

/** A position; those that the socket tells have no id. */
export type GpsPoint = Omit<Schemas["GpsPoint"], "id"> & { id?: number };
