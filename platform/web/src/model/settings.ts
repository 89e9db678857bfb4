import type { Refined, Schemas } from "./schemas.ts";
import type { DayOfWeek } from "./common.ts";

export type RescheduleSettings = Refined<Schemas["RescheduleSettings"], { allowed_days: DayOfWeek[] }>;
export type NotificationSettings = Schemas["NotificationSettings"];
export type AppSettings = Schemas["AppSettings"];
export type PodSettings = Schemas["PodSettings"];

/** Settings groups of `/organisations/{id}/information/{group}`. */
export interface InformationGroups {
  reschedule_settings: RescheduleSettings;
  notification_settings: NotificationSettings;
  app_settings: AppSettings;
  pod_settings: PodSettings;
  delivery_tracking_settings: Schemas["DeliveryTrackingSettings"];
  dispatch_settings: Schemas["DispatchSettings"];
  udf_config: Schemas["UdfConfig"];
}

export type InformationGroup = keyof InformationGroups;

/** The SMS gateway; those who only send see whether it is on. */
export type SmsConfiguration = Schemas["SmsConfiguration"];

export type FilenameRegex = Refined<
  Schemas["FilenameRegex"],
  {
    target: "job_import" | "proof_file";
  }
>;

export type RunCodeMap = Schemas["RunCodeMap"];

export type ConfigValue = Schemas["ConfigValue"];

/** A secret as read: the value never comes back. */
export type Secret = Schemas["Secret"];

export type StoredFile = Schemas["StoredFile"];

export type ExcelExport = Refined<
  Schemas["ExcelExport"],
  {
    kind: "csv" | "excel";
    source: "jobs" | "units" | "runs" | "returns" | "run_cost_calculator" | "proofs" | "audit";
    status: "pending" | "ready" | "failed";
  }
>;

export type UdfAction = Refined<
  Schemas["UdfAction"],
  {
    conditions: { field: string; operator: string; value: string }[];
    action: "webhook" | "email" | "sms" | "add_tag" | "set_extra_field";
  }
>;

export type UdfEvent = Schemas["UdfEvent"];
