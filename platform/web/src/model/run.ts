import type { Place, Stored } from "./common.ts";
import type { BillingRate } from "./billing-rate.ts";
import type { Job } from "./job.ts";
import type { Stage } from "./scenario.ts";

export type RouteEnd = "start" | "end_location" | "anywhere";
export const ROUTE_ENDS: readonly RouteEnd[] = ["start", "end_location", "anywhere"];

/** How a run sheet reaches the driver, as stored on the run. */
export type RunMethod = "email" | "sms" | "qr_code";
/** The same as written in `POST /runs/dispatch`. */
export type DispatchMethod = "email" | "sms" | "qrcode";

export type RunStatus = "pending" | "started" | "driving" | "closed";

export interface RunDriver {
  id: number;
  uid: string;
  shift_start: string;
  shift_end: string;
  email: string | null;
  phone_number: string | null;
  preferred_method: "email" | "sms" | null;
  route_colour: string | null;
}

/** One leg between two stops; `null` job: the start or the end of the run. */
export interface RouteLeg {
  seq: number;
  from_job_id: number | null;
  to_job_id: number | null;
  /** Metres. */
  distance: number;
  /** Seconds. */
  duration: number;
  /** Encoded polyline, precision 5. */
  geometry: string | null;
}

export interface Route {
  legs: RouteLeg[];
  /** Encoded polyline, precision 5. */
  geometry: string | null;
}

/** Metres, seconds, grams, cm3. */
export interface RunStats {
  planned_distance: number;
  recorded_distance: number | null;
  planned_duration: number;
  recorded_duration: number | null;
  planned_driving_time: number;
  units_count: number;
  capacity: string;
  total_size: Record<string, number>;
  total_weight: number;
  total_volume: number;
}

/** One driver's route of a scenario. */
export interface Run extends Stored {
  uid: string;
  /** Secret: opens the run sheet. */
  token: string;
  scenario_id: number;
  scenario?: { id: number; name: string; scheduled_date: string; stage: Stage };
  driver: RunDriver;
  driver_id: number;
  driver_user_id: number | null;
  vehicle_id: number | null;
  vehicle: { id: number; uid: string; billing_rate: BillingRate | null } | null;
  billing_rate_id: number | null;
  validated_by_id: number | null;
  validated_at: string | null;
  jobs: Job[];
  start_location: Place | null;
  end_location: Place | null;
  route_end: RouteEnd;
  preferred_method: RunMethod;
  route_colour: string;
  /** Size grammar; `'0'` is not limited. */
  capacity: string;
  alternatives_group: string | null;
  email: string | null;
  phone_number: string | null;
  spec_type: string | null;
  /** `HH:mm`. */
  shift_start: string;
  shift_end: string;
  /** Break earliest start, `HH:mm`. */
  lunch_time: string | null;
  lunch_latest_start: string | null;
  /** Minutes. */
  lunch_duration: number;
  speed_multiplier: number;
  device_id: string | null;
  territory_ids: number[];
  planned_start_time: string | null;
  planned_end_time: string | null;
  actual_start_time: string | null;
  actual_end_time: string | null;
  billing_start_time: string | null;
  /** Kilometres. */
  start_odometer: number | null;
  end_odometer: number | null;
  additional_billing_kms: number;
  /** Hours. */
  min_billing_hours: number;
  /** Metres. */
  distance: number;
  /** Seconds. */
  total_driving_time: number;
  /** Seconds of service. */
  total_job_duration: number;
  /** Litres. */
  fuel_consumption: number | null;
  actual_fuel_consumption: number | null;
  /** Grams. */
  co2_emissions: number | null;
  actual_co2_emissions: number | null;
  dispatched: boolean;
  dispatched_at?: string | null;
  billing_km?: number | null;
  billing_time?: number | null;
  vehicle_billing_rate?: string | null;
  estimated_cost?: number | null;
  status: RunStatus;
  route: Route | null;
  stats?: RunStats;
}

/** Fields of `PATCH /runs/{id}`. */
export type RunPatch = Partial<
  Pick<
    Run,
    | "start_location"
    | "end_location"
    | "vehicle_id"
    | "billing_rate_id"
    | "lunch_duration"
    | "driver_user_id"
    | "validated_by_id"
    | "shift_start"
    | "shift_end"
    | "lunch_time"
    | "lunch_latest_start"
    | "planned_start_time"
    | "planned_end_time"
    | "actual_start_time"
    | "actual_end_time"
    | "billing_start_time"
    | "capacity"
    | "alternatives_group"
    | "email"
    | "spec_type"
    | "phone_number"
    | "route_end"
    | "preferred_method"
    | "route_colour"
    | "start_odometer"
    | "end_odometer"
    | "additional_billing_kms"
    | "min_billing_hours"
    | "speed_multiplier"
    | "device_id"
  >
>;

/** Answer of a move. */
export interface MoveAnswer {
  updated_runs: Run[];
  jobs_to_unserved: Job[];
}

/** One entry of `PUT /runs/bulk_move_jobs`; `run_id` null moves to unserved. */
export interface Move {
  run_id: number | null;
  job_ids: number[];
  /** Position from 1; `null` appends. */
  seq: number | null;
  /** The jobs come from the pool. */
  pool: boolean;
}

export interface DispatchResult {
  run_id: number;
  success: boolean;
  error?: string | null;
}

/** Answer of `PATCH /runs/validate`. */
export interface ValidationAnswer {
  validated: {
    id: number;
    validated_at: string;
    validated_by_id: number;
    time_ok: boolean;
    distance_ok: boolean;
  }[];
  failed: { id: number; uid: string; missing: string[] }[];
}
