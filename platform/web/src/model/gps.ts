import type { Schemas } from "./schemas.ts";
export type GpsPoint = Schemas["GpsPoint"];
