import type { Schemas } from "./schemas.ts";

/** A customer's record from which jobs are filled. */
export type Client = Schemas["Client"];
