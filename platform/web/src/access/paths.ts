import type { AuthUser } from "../model/user.ts";
import type { AccessLevel } from "./levels.ts";

type Access = readonly [
  read: readonly AccessLevel[],
  write: readonly AccessLevel[],
  remove?: readonly AccessLevel[],
];

const proofs: Access = [["proofs_read"], ["proofs_write"]];
const settings: Access = [["organisation_settings_read"], ["organisation_settings_write"]];
const signedIn: Access = [[], []];

/** Levels by path, most special first. Paths that are not listed need no level of their own. */
const ACCESS: readonly (readonly [RegExp, Access])[] = [
  [/^\/users\/me/, signedIn],
  // Opened by their links; the server decides.
  [/^\/(jobs\/tracking|jobs_tracking|runsheet)\//, signedIn],
  [/^\/jobs\/[^/]+\/assign_tags|^\/jobs\/assign_tags/, [["jobs_read"], ["jobs_write"], ["jobs_write"]]],
  [/^\/jobs\/\d+\/proofs/, proofs],
  [/^\/jobs\/search_pod/, [["jobs_read", "proofs_read"], []]],
  [/^\/jobs\/(bulk_)?merge/, [[], ["jobs_write", "jobs_delete"]]],
  [/^\/jobs\/bulk_upload/, [[], ["jobs_write", "bulk_entry_jobs"]]],
  [/^\/jobs\/excel_export/, [[], ["jobs_read", "excel_export"]]],
  [/^\/jobs\/import_template/, [["jobs_write"], []]],
  [/^\/(duplicate_job|tutorial)/, [[], ["jobs_write"]]],
  [/^\/jobs/, [["jobs_read"], ["jobs_write"], ["jobs_delete"]]],
  [/^\/search\/jobs/, [["job_search_view"], []]],
  [/^\/search\/units/, [["unit_search_view"], []]],
  [/^\/search\/runs/, [["run_search_view"], []]],
  [/^\/search\/returns/, [["returns_read"], []]],
  [/^\/(units|bulk_labels\/units)/, [["units_read"], ["units_write"]]],
  [/^\/(returns|bulk_labels\/returns)/, [["returns_read"], ["returns_write"]]],
  [/^\/containers/, [["containers_read"], ["containers_write"]]],
  [/^\/(job_proofs|unit_proofs|return_proofs|container_proofs|run_proofs|checklist\/submissions)/, proofs],
  [/^\/export_proofs/, [["proofs_read", "excel_export"], []]],
  [/^\/pod_pdfs/, [["pod_pdf_export"], []]],
  [/^\/(runs|run_cost_calculator)\/validate/, [[], ["runs_write", "billing_rates_read"]]],
  [
    /^\/runs\/\d+\/(bills?|reopen)/,
    [
      ["runs_read", "billing_rates_read"],
      ["runs_write", "billing_rates_read"],
    ],
  ],
  [/^\/run_cost_calculator\/export/, [["excel_export", "billing_rates_read"], []]],
  [/^\/run_cost_calculator/, [["runs_read", "billing_rates_read"], []]],
  [/^\/runs\/\d+$/, [["runs_read", "run_detail_read"], ["runs_write"]]],
  [/^\/(runs|optimise)/, [["runs_read"], ["runs_write"]]],
  [/^\/scenarios\/\d+\/changes/, [["scenarios_read", "jobs_read"], []]],
  [/^\/scenarios\/\d+\/diagnosis/, [["runs_read", "jobs_read"], []]],
  [/^\/scenarios\/\d+\/remedies/, [[], ["runs_write", "jobs_write"]]],
  [/^\/scenarios\/\d+\/(undo|redo|steps)/, [["runs_write"], ["runs_write"]]],
  [/^\/scenarios\/token/, signedIn],
  [/^\/scenarios\/\d+\/(runsheets_pdf|constraints_check|contacts)/, [["runs_read"], []]],
  [/^\/scenarios\/\d+\/runsheets_excel/, [["runs_read", "excel_export"], []]],
  [/^\/scenarios\/\d+\/[a-z_]+_(download|send_to_sftp)$/, [["runs_read"], ["runs_write"]]],
  [/^\/scenario\/\d+\/gps_points/, [["runs_read"], []]],
  [/^\/(scenarios|scenarios_select|dashboard\/scenarios)/, [["scenarios_read"], ["scenarios_write"]]],
  [/^\/drivers\/users/, [["driver_users_read"], ["driver_users_write"]]],
  // Contact data may also be saved by whoever dispatches; the server decides.
  [/^\/drivers\/bulk/, [["drivers_read"], []]],
  [/^\/drivers/, [["drivers_read"], ["drivers_write"]]],
  [/^\/vehicles\/\d+\/(cost|billing_rates)/, [["vehicles_read", "billing_rates_read"], ["vehicles_write"]]],
  [/^\/tracking_devices/, [["vehicles_read"], ["vehicles_write"]]],
  [/^\/vehicles/, [["vehicles_read"], ["vehicles_write"]]],
  [/^\/billing_rates/, [["billing_rates_read"], ["billing_rates_write"]]],
  [/^\/clients/, [["clients_read"], ["clients_write"]]],
  [/^\/locations/, [["locations_read"], ["locations_write"]]],
  [/^\/(territories|territory_groups)/, [["territories_read"], ["territories_write"]]],
  [/^\/tags/, [["jobs_read"], ["organisation_settings_write"]]],
  [/^\/(reasons|scenario_reasons)/, [["reason_read"], ["reason_write"]]],
  [/^\/users\/(login|register)/, signedIn],
  [/^\/users/, [["users_read"], ["users_write"]]],
  [/^\/(access_levels)/, [["roles_read"], []]],
  [/^\/roles/, [["roles_read"], ["roles_write"]]],
  [/^\/audit\/export/, [["organisation_settings_write", "excel_export"], []]],
  [/^\/audit/, [["organisation_settings_write"], []]],
  [/^\/operators/, [["organisations_read"], ["organisations_write"]]],
  [/^\/organisations\/hauliers/, [["hauliers_read"], ["hauliers_write"]]],
  [/^\/organisations\/settings/, settings],
  [/^\/organisations\/\d+\/information/, [[], ["organisation_settings_write"]]],
  // The own organisation may always be read; the server decides.
  [/^\/organisations\/\d+$/, [[], ["organisations_write"]]],
  [/^\/organisations/, [["organisations_read"], ["organisations_write"]]],
  // Whether SMS is on may be read by dispatchers; the server decides.
  [/^\/secrets\/sms_configuration/, [[], ["organisation_settings_write"]]],
  [/^\/(config_values|checklist\/definitions|udf|secrets)/, settings],
  [/^\/password_policy/, [["password_policy_read"], ["password_policy_write"]]],
  [/^\/filename_regex\/test/, [[], ["filename_regex_read"]]],
  [/^\/filename_regex/, [["filename_regex_read"], ["filename_regex_write"]]],
  [/^\/gefco\/run_code_maps/, [["run_code_maps_read"], ["run_code_maps_write"]]],
  [/^\/kpi\/days/, [["runs_read"], []]],
  [/^\/gefco\/excel-kpi/, [["kpi_read"], []]],
  [/^\/gefco/, [["runs_read"], ["runs_write"]]],
  [/^\/excel_exports/, [["excel_export"], ["excel_export"]]],
];

/** Access levels that a call needs, all of them. */
export function levelsOf(method: string, path: string): readonly AccessLevel[] {
  const plain = `/${path
    .replace(/^\/+/, "")
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "")}`;
  const access = ACCESS.find(([pattern]) => pattern.test(plain))?.[1];
  if (access === undefined) return [];
  const [read, write, remove = write] = access;
  if (method === "GET" || method === "HEAD") return read;
  return method === "DELETE" ? remove : write;
}

/** Whether the user's access levels allow the call. The server checks the same. */
export function mayCall(method: string, path: string, user: AuthUser | null): boolean {
  const needed = levelsOf(method, path);
  if (needed.length === 0) return true;
  if (user === null) return false;
  return needed.every((level) => user.role.access_levels.includes(level));
}
