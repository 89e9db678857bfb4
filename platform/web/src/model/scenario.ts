import type { DayOfWeek, Stored } from "./common.ts";

export type Stage = "planning" | "routing" | "tracking";
export const STAGES: readonly Stage[] = ["planning", "routing", "tracking"];

export type BackgroundStatus = "queued" | "running" | "done" | "failed";

/** A day's plan. */
export interface Scenario extends Stored {
  name: string;
  stage: Stage;
  /** `YYYY-MM-DD`. */
  scheduled_date: string;
  starred: boolean;
  jobs_count: number;
  units_count: number;
  territory_group_ids: number[];
  organisation_id: number;
  /** Secret: opens the scenario's sockets and QR codes. */
  ws_token: string;
  default_active_driver_ids: number[];
  has_proofs: boolean;
  template_id: number | null;
  background_status: BackgroundStatus | null;
}

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
export interface ScenarioCopy {
  id: number;
  name: string;
  scheduled_date: string;
}

export interface ScenarioTemplate extends Stored {
  name: string;
  default_active_driver_ids: number[];
  territory_group_ids: number[];
  job_ids: number[];
  copy_of_scenario_id: number | null;
  copy_items: CopyItem[];
  /** Text with `{date}` and `{template}`. */
  name_pattern: string;
  days: DayOfWeek[];
}

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
export interface QrCodes {
  scenario: { name: string; scheduled_date: string };
  organisation: { name: string; logo: string | null };
  runs: {
    run_id: number;
    uid: string;
    driver_uid: string;
    shift_start: string;
    shift_end: string;
    vehicle: string | null;
    jobs_count: number;
    url: string;
  }[];
}
