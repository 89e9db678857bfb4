import type { Refined, Schemas } from "./schemas.ts";
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

export type RunDriver = Refined<
  Schemas["RunDriver"],
  {
    preferred_method: "email" | "sms" | null;
  }
>;

/** One leg between two stops; `null` job: the start or the end of the run. */
export type RouteLeg = Schemas["RunLeg"];

export type Route = Schemas["RunRoute"];

/** Metres, seconds, grams, cm3. */
export type RunStats = Schemas["RunStats"];

/** One driver's route of a scenario. */
export type Run = Refined<
  Schemas["RunDetail"],
  {
    scenario?: { id: number; name: string; scheduled_date: string; stage: Stage };
    driver: RunDriver;
    vehicle: { id: number; uid: string; billing_rate: BillingRate | null } | null;
    jobs: Job[];
    route_end: RouteEnd;
    preferred_method: RunMethod;
    status: RunStatus;
    /** Absent in lists. */
    stats?: RunStats;
  }
>;

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
> & {
  /** Why it is changed after dispatch. */
  scenario_reason_id?: number;
  /** Also over hours for which the driver has another run. */
  force?: boolean;
};

/** Answer of a move. */
export type MoveAnswer = Refined<
  Schemas["Moved"],
  {
    updated_runs: Run[];
    jobs_to_unserved: Job[];
  }
>;

/** One entry of `PUT /runs/bulk_move_jobs`; `run_id` null moves to unserved. */
export interface Move {
  run_id: number | null;
  job_ids: number[];
  /** Position from 1; `null` appends. */
  seq: number | null;
  /** The jobs come from the pool. */
  pool: boolean;
  /** Why, for the audit log. */
  scenario_reason_id?: number | null;
}

export type DispatchResult = Schemas["Dispatched"];

/** Answer of `PATCH /runs/validate`. */
export type ValidationAnswer = Refined<
  Schemas["ValidatedRuns"],
  {
    validated: {
      id: number;
      validated_at: string;
      validated_by_id: number;
      time_ok: boolean;
      distance_ok: boolean;
    }[];
  }
>;
