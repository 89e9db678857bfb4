import type { DayOfWeek, Place, Stored } from "./common.ts";
import type { RouteEnd } from "./run.ts";

export interface Driver extends Stored {
  uid: string;
  email: string | null;
  phone_number: string | null;
  preferred_method: "email" | "sms";
  /** `HH:mm` or `HH:mm:ss`. */
  shift_start: string;
  shift_end: string;
  /** Minutes. */
  lunch_duration: number;
  location: Place | null;
  route_colour: string | null;
  deleted_at: string | null;
  configs: DriverConfig[];
  territories: { id: number; name: string }[];
  organisation_id: number;
  lunch_time: string | null;
  lunch_latest_start: string | null;
  end_location: Place | null;
  route_end: RouteEnd;
  capacity: string;
  spec_type: string | null;
  speed_multiplier: number;
  alternatives_group: string | null;
  vehicle_id: number | null;
  driver_user_id: number | null;
  device_id: string | null;
  haulier_id: number | null;
}

/** A named variant of a driver's planning defaults. */
export interface DriverConfig extends Stored {
  driver_id: number;
  name: string;
  /** Empty: every day. */
  days: DayOfWeek[];
  active: boolean;
  shift_start: string | null;
  shift_end: string | null;
  lunch_time: string | null;
  lunch_latest_start: string | null;
  lunch_duration: number | null;
  capacity: string | null;
  spec_type: string | null;
  speed_multiplier: number | null;
  start_location: Place | null;
  end_location: Place | null;
  route_end: RouteEnd | null;
  alternatives_group: string | null;
  vehicle_id: number | null;
}

/** A sign-in of a driver. */
export interface DriverUser extends Stored {
  first_name: string;
  last_name: string;
  email: string;
  phone_number: string | null;
  organisation_id: number;
  haulier_id: number | null;
}
