import type { Schemas } from "./schemas.ts";
export type Tag = Schemas["JobTag"];
