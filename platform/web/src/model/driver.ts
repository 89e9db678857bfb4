import type { Refined, Schemas } from "./schemas.ts";
import type { DayOfWeek } from "./common.ts";
import type { RouteEnd } from "./run.ts";

export type Driver = Refined<
  Schemas["Driver"],
  {
    preferred_method: "email" | "sms";
    configs: DriverConfig[];
    route_end: RouteEnd;
  }
>;

/** A named variant of a driver's planning defaults. */
export type DriverConfig = Refined<
  Schemas["DriverConfig"],
  {
    /** Empty: every day. */
    days: DayOfWeek[];
    route_end: RouteEnd | null;
  }
>;

/** A sign-in of a driver. */
export type DriverUser = Schemas["DriverUser"];
