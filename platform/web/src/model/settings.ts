import type { Refined, Schemas } from "./schemas.ts";
import type { DayOfWeek } from "./common.ts";

export interface RescheduleSettings {
  enabled: boolean;
  min_notice_hours: number;
  max_days_ahead: number;
  allowed_days: DayOfWeek[];
  allow_note: boolean;
  allow_safe_drop: boolean;
}

export interface NotificationSettings {
  eta_alert: {
    enabled: boolean;
    threshold_minutes: number;
    recipients: string[];
    notify_customer: boolean;
    repeat_minutes: number;
  };
  on_dispatch: boolean;
  on_next_stop: boolean;
  on_delivered: boolean;
  on_failed: boolean;
  sender_name: string | null;
  reply_to: string | null;
}

export interface AppSettings {
  require_start_odometer: boolean;
  require_end_odometer: boolean;
  require_start_photo: boolean;
  allow_out_of_sequence: boolean;
  show_customer_phone: boolean;
  gps_interval_seconds: number;
  offline_allowed: boolean;
  language: string;
  required_job_fields: string[];
}

export interface PodSettings {
  signature_required: boolean;
  signature_name_required: boolean;
  photo_required: boolean;
  max_photos: number;
  reason_required_on_failure: boolean;
  unit_scan_required: boolean;
  customer_download: boolean;
  logo_file_id: number | null;
  footer_text: string | null;
}

export interface DeliveryTrackingSettings {
  enabled: boolean;
  show_driver_name: boolean;
  show_vehicle_position: boolean;
  position_visible_minutes: number;
  show_stops_before: boolean;
  show_eta_range: boolean;
  link_valid_days: number;
  logo_file_id: number | null;
  primary_colour: string | null;
  contact_phone: string | null;
  contact_email: string | null;
  email_subject: string | null;
  email_text: string | null;
}

export interface DispatchSettings {
  email_subject: string;
  email_text: string | null;
  sms_text: string | null;
  attach_pdf: boolean;
  link_valid_hours: number;
  auto_set_tracking_stage: boolean;
  copy_to: string[];
}

export interface UdfConfig {
  enabled: boolean;
  max_actions: number;
  webhook_timeout_seconds: number;
  retries: number;
  signing_secret_id: number | null;
}

/** Settings groups of `/organisations/{id}/information/{group}`. */
export interface InformationGroups {
  reschedule_settings: RescheduleSettings;
  notification_settings: NotificationSettings;
  app_settings: AppSettings;
  pod_settings: PodSettings;
  delivery_tracking_settings: DeliveryTrackingSettings;
  dispatch_settings: DispatchSettings;
  udf_config: UdfConfig;
}

export type InformationGroup = keyof InformationGroups;

export interface SmsConfiguration {
  provider: string;
  account: string | null;
  api_key?: string;
  sender: string | null;
  base_url: string | null;
  enabled: boolean;
}

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
    source: "jobs" | "units" | "runs" | "returns" | "run_cost_calculator" | "proofs";
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
