import { hasModule, holds, type AccessLevel } from "@routewright/web";
import type { AuthUser, ModuleKey } from "@routewright/web/model";

/** A page in the side menu. */
export interface MenuItem {
  /** Route below `/dashboard`. */
  path: string;
  label: string;
  /** Any of these levels suffices; none listed: no permission is required. */
  levels?: AccessLevel[];
  /** All of these modules are required. */
  modules?: ModuleKey[];
}

/** Pages under one heading of the side menu. */
export interface MenuGroup {
  label: string;
  /** Any of these levels is required for the items that need a permission. */
  levels?: AccessLevel[];
  modules?: ModuleKey[];
  items: MenuItem[];
}

/** The whole side menu, in its order. */
export const MENU: MenuGroup[] = [
  {
    label: "User Management",
    items: [
      { path: "management/roles", label: "Roles", levels: ["roles_read"] },
      { path: "management/organisations", label: "Organisations", levels: ["organisations_read"] },
      { path: "management/users", label: "Users", levels: ["users_read"] },
    ],
  },
  {
    label: "Database",
    levels: ["database_read"],
    items: [
      { path: "database/scenarios", label: "Scenarios", levels: ["scenarios_read"] },
      { path: "database/jobs", label: "Jobs", levels: ["jobs_read"] },
      { path: "database/drivers", label: "Drivers", levels: ["drivers_read"] },
      { path: "database/runs", label: "Runs", levels: ["runs_read"] },
      { path: "database/units", label: "Units", levels: ["units_read"], modules: ["units"] },
      { path: "database/locations", label: "Locations", levels: ["locations_read"] },
      { path: "database/clients", label: "Clients", levels: ["clients_read"] },
      { path: "database/territories", label: "Territories", levels: ["territories_read"] },
      { path: "database/filename_regex", label: "Filename Regex", levels: ["filename_regex_read"] },
      {
        path: "database/run_code_maps",
        label: "Run Code Maps",
        levels: ["run_code_maps_read"],
        modules: ["gefco"],
      },
    ],
  },
  {
    label: "Organisation Settings",
    items: [
      {
        path: "organisation_settings/optimisation_settings",
        label: "Optimisation Settings",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/password_policy",
        label: "Password Policy",
        levels: ["password_policy_read"],
      },
      {
        path: "organisation_settings/app_settings",
        label: "App Settings",
        levels: ["organisation_settings_read"],
      },
      { path: "organisation_settings/proof_reasons", label: "Proof Reasons", levels: ["reason_read"] },
      { path: "organisation_settings/scenario_reasons", label: "Scenario Reasons", levels: ["reason_read"] },
      {
        path: "organisation_settings/proof_settings",
        label: "Proof Settings",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/job_tag_definition",
        label: "Job Tag Definition",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/vehicle_definition",
        label: "Vehicle Definition",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/eta_alert_configuration",
        label: "ETA Alert Configuration",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/territory_settings",
        label: "Territory Settings",
        levels: ["territories_read"],
      },
      {
        path: "organisation_settings/delivery_and_tracking",
        label: "Delivery and Tracking",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/units_and_measurement",
        label: "Units and Measurement",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/scenario_templates",
        label: "Scenario Templates",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/delivery_checklist",
        label: "Delivery Checklist",
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/sms_configuration",
        label: "SMS Configuration",
        levels: ["organisation_settings_read"],
      },
    ],
  },
  {
    label: "Events & Actions",
    modules: ["udf"],
    items: [
      {
        path: "events_and_actions/events_and_actions_builder",
        label: "Builder",
        levels: ["organisation_settings_read"],
        modules: ["udf"],
      },
      {
        path: "events_and_actions/events_and_actions_config",
        label: "Configuration",
        levels: ["organisation_settings_read"],
        modules: ["udf"],
      },
    ],
  },
  {
    label: "Delivery Management",
    levels: ["delivery_management_view"],
    items: [
      { path: "delivery_management/search_jobs", label: "Search Jobs", levels: ["job_search_view"] },
      {
        path: "delivery_management/search_units",
        label: "Search Units",
        levels: ["unit_search_view"],
        modules: ["units"],
      },
      { path: "delivery_management/search_runs", label: "Search Runs", levels: ["run_search_view"] },
      {
        path: "delivery_management/bulk_create_jobs",
        label: "Bulk Create Jobs",
        levels: ["bulk_entry_jobs"],
      },
    ],
  },
  {
    label: "Transport Management",
    levels: ["transport_management_view"],
    items: [
      { path: "transport_management/vehicles", label: "Vehicles", levels: ["vehicles_read"] },
      { path: "transport_management/hauliers", label: "Hauliers", levels: ["hauliers_read"] },
      { path: "transport_management/driver_users", label: "Driver Users", levels: ["driver_users_read"] },
    ],
  },
  {
    label: "Returns",
    levels: ["return_management_view"],
    modules: ["returns"],
    items: [
      {
        path: "returns/create_returns",
        label: "Create Returns",
        levels: ["create_returns_view"],
        modules: ["returns"],
      },
      { path: "returns/search_returns", label: "Search Returns", modules: ["returns"] },
    ],
  },
  {
    label: "Costing Management",
    levels: ["costing_management_view"],
    items: [
      { path: "costing_management/billing_rates", label: "Billing Rates", levels: ["billing_rates_read"] },
      { path: "costing_management/run_cost_calculator", label: "Run Cost Calculator" },
    ],
  },
  {
    label: "Containers",
    modules: ["containers"],
    items: [
      {
        path: "containers/search_containers",
        label: "Search Containers",
        levels: ["containers_read"],
        modules: ["containers"],
      },
    ],
  },
  {
    label: "Exports",
    items: [
      { path: "exports/exports", label: "Exports" },
      {
        path: "exports/kpi_data_export",
        label: "KPI Data Export",
        levels: ["kpi_read"],
        modules: ["gefco_nld"],
      },
    ],
  },
  { label: "Account", items: [{ path: "account", label: "Account" }] },
];

/** What of the menu the user sees; groups without a visible item are left out. */
export function visibleMenu(menu: MenuGroup[], user: AuthUser | null): MenuGroup[] {
  return menu
    .map((group) => ({ ...group, items: group.items.filter((item) => isVisible(group, item, user)) }))
    .filter((group) => group.items.length > 0);
}

/** Any listed level of the item and of its group, and all listed modules; nothing listed is open to all. */
function isVisible(group: MenuGroup, item: MenuItem, user: AuthUser | null): boolean {
  const modules = [...(group.modules ?? []), ...(item.modules ?? [])];
  if (!modules.every((module) => hasModule(user, module))) return false;
  if (item.levels === undefined) return true;
  return holdsAny(user, item.levels) && (group.levels === undefined || holdsAny(user, group.levels));
}

function holdsAny(user: AuthUser | null, levels: AccessLevel[]): boolean {
  return levels.some((level) => holds(user, level));
}

/** The group and item that a path below `/dashboard` belongs to. */
export function findInMenu(
  menu: MenuGroup[],
  path: string,
): { group: MenuGroup; item: MenuItem } | undefined {
  const plain = path.replace(/^\/+/, "");
  for (const group of menu) {
    const item = group.items.find((one) => plain === one.path || plain.startsWith(`${one.path}/`));
    if (item) return { group, item };
  }
  return undefined;
}
