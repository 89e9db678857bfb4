/** Resources whose levels are `{resource}_read` and `{resource}_write`. */
export const LEVELLED_RESOURCES = [
  "locations",
  "jobs",
  "units",
  "runs",
  "clients",
  "returns",
  "drivers",
  "scenarios",
  "users",
  "organisations",
  "roles",
  "run_code_maps",
  "proofs",
  "organisation_settings",
  "reason",
  "hauliers",
  "vehicles",
  "driver_users",
  "billing_rates",
  "filename_regex",
  "password_policy",
  "containers",
  "territories",
] as const;

export type LevelledResource = (typeof LEVELLED_RESOURCES)[number];

/** Levels that open a view. */
export const VIEW_LEVELS = [
  "bulk_entry_jobs",
  "delivery_management_view",
  "job_search_view",
  "unit_search_view",
  "run_search_view",
  "transport_management_view",
  "return_management_view",
  "create_returns_view",
  "costing_management_view",
  "database_read",
  "pod_pdf_export",
  "excel_export",
  "kpi_read",
  "run_detail_read",
  "customer_view_read",
  "customer_view_login",
  "live_overview_read",
  "live_overview_login",
  "optimisation_view_read",
  "support_chat",
] as const;

export type ViewLevel = (typeof VIEW_LEVELS)[number];

export type AccessLevel =
  `${LevelledResource}_read` | `${LevelledResource}_write` | "jobs_delete" | ViewLevel;
