import type { Refined, Schemas } from "./schemas.ts";
import type { BillingRate } from "./billing-rate.ts";

export type Vehicle = Refined<
  Schemas["Vehicle"],
  {
    billing_rate: BillingRate | null;
    billing_rates: BillingRate[];
  }
>;

/** A subcontracted carrier: a child organisation. */
export type Haulier = Schemas["Haulier"];

/** A phone's app or a tracker that tells where it is. */
export type TrackingDevice = Schemas["TrackingDevice"];

/** Its key, told once. */
export type TrackingDeviceKey = Schemas["TrackingDeviceKey"];
