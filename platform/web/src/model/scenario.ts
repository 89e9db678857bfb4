import type { Refined, Schemas } from "./schemas.ts";
import type { DayOfWeek } from "./common.ts";

export type Stage = "planning" | "routing" | "tracking";
export const STAGES: readonly Stage[] = ["planning", "routing", "tracking"];

export type BackgroundStatus = "queued" | "running" | "done" | "failed";

/** A day's plan. */
export type Scenario = Refined<
  Schemas["Scenario"],
  {
    stage: Stage;
    background_status: BackgroundStatus | null;
  }
>;

export type CopyItem = "jobs" | "units" | "territory_groups" | "returns" | "runs" | "proofs";
export const COPY_ITEMS: readonly CopyItem[] = [
  "jobs",
  "units",
  "territory_groups",
  "returns",
  "runs",
  "proofs",
];

/** Answer item of duplicate and fixed runs. */
export type ScenarioCopy = Schemas["ScenarioCopyMade"];

export type ScenarioTemplate = Refined<
  Schemas["Template"],
  {
    copy_items: CopyItem[];
    days: DayOfWeek[];
  }
>;

/** Answer of `GET /scenarios/{id}/progress_report`. */
export interface ProgressReport {
  scenario: { id: number; name: string; scheduled_date: string; stage: Stage };
  runs: ProgressRun[];
  totals: {
    jobs_total: number;
    visited: number;
    successful: number;
    unsuccessful: number;
    late: number;
  };
  exceptions: {
    job_uid: string;
    customer_name: string | null;
    reason: string | null;
    record_time: string;
    comments: string | null;
    photos: { id: number; link: string }[];
  }[];
}

export interface ProgressRun {
  run_id: number;
  uid: string;
  driver: string;
  vehicle: string | null;
  status: string;
  planned_start_time: string | null;
  planned_end_time: string | null;
  actual_start_time: string | null;
  actual_end_time: string | null;
  jobs_total: number;
  visited: number;
  successful: number;
  unsuccessful: number;
  late: number;
  /** Metres. */
  distance: number;
  last_position_at: string | null;
}

/** Answer of `GET /scenarios/token/{ws_token}/qr_codes`. */
export type QrCodes = Schemas["QrCodes"];
