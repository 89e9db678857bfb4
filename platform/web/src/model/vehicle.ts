import type { Stored } from "./common.ts";
import type { BillingRate } from "./billing-rate.ts";

export interface Vehicle extends Stored {
  uid: string;
  billing_rate: BillingRate | null;
  billing_rates: BillingRate[];
  name: string | null;
  registration: string | null;
  vehicle_type: string | null;
  capacity: string | null;
  spec_type: string | null;
  speed_multiplier: number | null;
  /** Litres per 100 km. */
  fuel_consumption: number | null;
  /** Grams. */
  co2_per_litre: number | null;
  device_id: string | null;
  haulier_id: number | null;
  organisation_id: number;
}

/** A subcontracted carrier: a child organisation. */
export interface Haulier extends Stored {
  name: string;
  parent_organisation_id: number;
  email: string | null;
  phone_number: string | null;
  timezone: string;
  modules: string[];
}
