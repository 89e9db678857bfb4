import type { Refined, Schemas } from "./schemas.ts";
import type { Job } from "./job.ts";
import type { Objective } from "./organisation.ts";
import type { Run } from "./run.ts";
import type { BackgroundStatus, Scenario } from "./scenario.ts";

export type UnservedReason =
  | "no_matching_type"
  | "capacity"
  | "time_window"
  | "shift"
  | "territory"
  | "linked_job"
  | "unreachable"
  | "not_enough_drivers"
  | "changed";

export type UnservedJob = Refined<
  Schemas["UnservedJob"],
  {
    reason: UnservedReason;
  }
>;

/** Options of `POST /optimise/scenarios/{id}`. */
export interface OptimiseOptions {
  job_ids?: number[];
  ignore_type?: boolean;
  ignore_time_window?: boolean;
  ignore_capacity?: boolean;
  objective?: Objective;
  max_seconds?: number;
  keep_assigned?: boolean;
  /** Forces the background. */
  polling?: boolean;
  /** Goes on from the plan that stands. */
  improve?: boolean;
  /** Runs keep to areas of their own. */
  compact?: boolean;
}

/** Options of `POST /optimise/runs/{id}`; delays are minutes after the planned shift start. */
export interface RunOptimiseOptions {
  delay_start_time: number;
  delay_end_time: number;
  ignore_type: boolean;
  ignore_time_window: boolean;
  fix_job_start: boolean;
  ignore_capacity: boolean;
}

export type OptimiseAnswer = Refined<
  Schemas["Optimised"],
  {
    data?: { scenario: Scenario; runs: Run[]; jobs: Job[] };
    unservedJobs?: UnservedJob[];
    error?: string;
  }
>;

export type OptimisationTask = Refined<
  Partial<Schemas["Task"]>,
  {
    status: BackgroundStatus;
    unservedJobs?: UnservedJob[];
  }
>;

export type ViolationType =
  | "capacity"
  | "type_mismatch"
  | "late_arrival"
  | "outside_shift"
  | "break"
  | "link_order"
  | "link_other_run"
  | "territory"
  | "alternatives_group"
  | "cycle";

/** Answer of `GET /scenarios/{id}/constraints_check`. */
export type ConstraintsCheck = Refined<
  Schemas["ConstraintsCheck"],
  {
    violations: {
      run_id: number | null;
      run_uid: string | null;
      job_id: number | null;
      job_uid: string | null;
      type: ViolationType;
      severity: "error" | "warning";
      value: string | number | null;
      limit: string | number | null;
      message: string;
    }[];
  }
>;
