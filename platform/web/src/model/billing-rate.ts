import type { Schemas } from "./schemas.ts";
/** Money per run, kilometre, hour and drop, in the organisation's currency. */
export type BillingRate = Schemas["BillingRate"];
