import type { FileLink, Stored } from "./common.ts";

export type ModuleKey =
  | "units"
  | "returns"
  | "containers"
  | "udf"
  | "constraints_checker"
  | "gefco"
  | "gefco_nld"
  | "all_purpose_transport_bunzl"
  | "all_purpose_transport";

export type DistanceUnit = "km" | "mi";
export type WeightUnit = "kg" | "lb";
export type FuelConsumptionUnit = "l_per_100_km" | "mpg_uk" | "mpg_us";

export type Objective = "fewest_runs" | "shortest_time" | "shortest_distance" | "balanced";

export interface OptimisationSettings {
  objective: Objective;
  max_seconds: number;
  zero_capacity_is_unlimited: boolean;
  capacity_mode: "sum" | "on_board";
  default_speed_multiplier: number;
  priority_weight: number;
  territory_mode: "off" | "prefer" | "only";
  polling_threshold: number;
}

/** `GET /organisations/settings`. */
export interface OrganisationSettings {
  dispatch_method: "email" | "sms";
  distance_unit: DistanceUnit;
  weight_unit: WeightUnit;
  fuel_consumption_unit: FuelConsumptionUnit;
  /** Minutes. */
  job_duration: number;
  optimisation?: Partial<OptimisationSettings>;
  currency?: string;
}

export interface Organisation extends Stored {
  name: string;
  /** IANA name. */
  timezone: string;
  settings: OrganisationSettings;
  modules: ModuleKey[];
  parent_organisation_id?: number | null;
  logo?: FileLink | null;
}

export interface Module {
  key: ModuleKey;
  name: string;
}
