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
/** The steps that a user could take back, or do again, in a plan. */
export type PlanSteps = Schemas["Steps"];
export type PlanStep = Schemas["PlanStep"];

export type ScenarioCopy = Schemas["ScenarioCopyMade"];

export type ScenarioTemplate = Refined<
  Schemas["Template"],
  {
    copy_items: CopyItem[];
    days: DayOfWeek[];
  }
>;

/** Answer of `GET /scenarios/{id}/progress_report`. */
export type ProgressReport = Schemas["ProgressReport"];

export type ProgressRun = Schemas["ProgressRun"];

/** Answer of `GET /scenarios/token/{ws_token}/qr_codes`. */
export type QrCodes = Schemas["QrCodes"];
