import type { Refined, Schemas } from "./schemas.ts";

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

export type OptimisationSettings = Schemas["Optimisation"];

/** `GET /organisations/settings`. */
export type OrganisationSettings = Refined<
  Schemas["Settings"],
  {
    optimisation?: Partial<OptimisationSettings>;
  }
>;

export type Organisation = Schemas["Organisation"];

export type Module = Schemas["NamedModule"];
