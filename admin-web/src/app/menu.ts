import { hasModule, holds, isMaster, texts, type AccessLevel } from "@routewright/web";
import type { AuthUser, ModuleKey } from "@routewright/web/model";

const { menu } = texts.admin;

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
  /** Any of these levels is required for the group to be shown. */
  levels?: AccessLevel[];
  modules?: ModuleKey[];
  /** Only users of the organisation Master see it. */
  byMaster?: true;
  items: MenuItem[];
}

/** The whole side menu, in its order. */
export const MENU: MenuGroup[] = [
  {
    label: menu.groups.platform,
    levels: ["organisations_read"],
    byMaster: true,
    items: [
      { path: "platform/standing", label: menu.items.standing },
      { path: "platform/dead_letters", label: menu.items.deadLetters },
      { path: "platform/record", label: menu.items.record },
    ],
  },
  {
    label: menu.groups.management,
    items: [
      { path: "management/roles", label: menu.items.roles, levels: ["roles_read"] },
      { path: "management/organisations", label: menu.items.organisations, levels: ["organisations_read"] },
      { path: "management/users", label: menu.items.users, levels: ["users_read"] },
      { path: "management/audit", label: menu.items.audit, levels: ["organisation_settings_write"] },
    ],
  },
  {
    label: menu.groups.database,
    levels: ["database_read"],
    items: [
      { path: "database/scenarios", label: menu.items.scenarios, levels: ["scenarios_read"] },
      { path: "database/jobs", label: menu.items.jobs, levels: ["jobs_read"] },
      { path: "database/drivers", label: menu.items.drivers, levels: ["drivers_read"] },
      { path: "database/runs", label: menu.items.runs, levels: ["runs_read"] },
      { path: "database/units", label: menu.items.units, levels: ["units_read"], modules: ["units"] },
      { path: "database/locations", label: menu.items.locations, levels: ["locations_read"] },
      { path: "database/clients", label: menu.items.clients, levels: ["clients_read"] },
      { path: "database/territories", label: menu.items.territories, levels: ["territories_read"] },
      { path: "database/filename_regex", label: menu.items.filenameRegex, levels: ["filename_regex_read"] },
      {
        path: "database/run_code_maps",
        label: menu.items.runCodeMaps,
        levels: ["run_code_maps_read"],
        modules: ["gefco"],
      },
      { path: "database/bin", label: menu.items.bin, levels: ["jobs_delete"] },
    ],
  },
  {
    label: menu.groups.organisationSettings,
    items: [
      {
        path: "organisation_settings/optimisation_settings",
        label: menu.items.optimisationSettings,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/password_policy",
        label: menu.items.passwordPolicy,
        levels: ["password_policy_read"],
      },
      {
        path: "organisation_settings/app_settings",
        label: menu.items.appSettings,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/proof_reasons",
        label: menu.items.proofReasons,
        levels: ["reason_read"],
      },
      {
        path: "organisation_settings/scenario_reasons",
        label: menu.items.scenarioReasons,
        levels: ["reason_read"],
      },
      {
        path: "organisation_settings/proof_settings",
        label: menu.items.proofSettings,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/job_tag_definition",
        label: menu.items.jobTagDefinition,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/vehicle_definition",
        label: menu.items.vehicleDefinition,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/eta_alert_configuration",
        label: menu.items.etaAlertConfiguration,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/territory_settings",
        label: menu.items.territorySettings,
        levels: ["territories_read"],
      },
      {
        path: "organisation_settings/delivery_and_tracking",
        label: menu.items.deliveryAndTracking,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/units_and_measurement",
        label: menu.items.unitsAndMeasurement,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/scenario_templates",
        label: menu.items.scenarioTemplates,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/delivery_checklist",
        label: menu.items.deliveryChecklist,
        levels: ["organisation_settings_read"],
      },
      {
        path: "organisation_settings/sms_configuration",
        label: menu.items.smsConfiguration,
        levels: ["organisation_settings_read"],
      },
    ],
  },
  {
    label: menu.groups.eventsAndActions,
    modules: ["udf"],
    items: [
      {
        path: "events_and_actions/events_and_actions_builder",
        label: menu.items.eventsAndActionsBuilder,
        levels: ["organisation_settings_read"],
        modules: ["udf"],
      },
      {
        path: "events_and_actions/events_and_actions_config",
        label: menu.items.eventsAndActionsConfig,
        levels: ["organisation_settings_read"],
        modules: ["udf"],
      },
    ],
  },
  {
    label: menu.groups.deliveryManagement,
    levels: ["delivery_management_view"],
    items: [
      { path: "delivery_management/search_jobs", label: menu.items.searchJobs, levels: ["job_search_view"] },
      {
        path: "delivery_management/search_units",
        label: menu.items.searchUnits,
        levels: ["unit_search_view"],
        modules: ["units"],
      },
      { path: "delivery_management/search_runs", label: menu.items.searchRuns, levels: ["run_search_view"] },
      {
        path: "delivery_management/bulk_create_jobs",
        label: menu.items.bulkCreateJobs,
        levels: ["bulk_entry_jobs"],
      },
      { path: "delivery_management/messages", label: menu.items.messages, levels: ["runs_read"] },
    ],
  },
  {
    label: menu.groups.transportManagement,
    levels: ["transport_management_view"],
    items: [
      { path: "transport_management/vehicles", label: menu.items.vehicles, levels: ["vehicles_read"] },
      {
        path: "transport_management/tracking_devices",
        label: menu.items.trackingDevices,
        levels: ["vehicles_read"],
      },
      { path: "transport_management/hauliers", label: menu.items.hauliers, levels: ["hauliers_read"] },
      {
        path: "transport_management/driver_users",
        label: menu.items.driverUsers,
        levels: ["driver_users_read"],
      },
    ],
  },
  {
    label: menu.groups.returns,
    levels: ["return_management_view"],
    modules: ["returns"],
    items: [
      {
        path: "returns/create_returns",
        label: menu.items.createReturns,
        levels: ["create_returns_view"],
        modules: ["returns"],
      },
      { path: "returns/search_returns", label: menu.items.searchReturns, modules: ["returns"] },
    ],
  },
  {
    label: menu.groups.costingManagement,
    levels: ["costing_management_view"],
    items: [
      {
        path: "costing_management/billing_rates",
        label: menu.items.billingRates,
        levels: ["billing_rates_read"],
      },
      { path: "costing_management/run_cost_calculator", label: menu.items.runCostCalculator },
    ],
  },
  {
    label: menu.groups.containers,
    modules: ["containers"],
    items: [
      {
        path: "containers/search_containers",
        label: menu.items.searchContainers,
        levels: ["containers_read"],
        modules: ["containers"],
      },
    ],
  },
  {
    label: menu.groups.exports,
    items: [
      { path: "exports/exports", label: menu.items.exports },
      {
        path: "exports/kpi_data_export",
        label: menu.items.kpiDataExport,
        levels: ["kpi_read"],
        modules: ["gefco_nld"],
      },
    ],
  },
  { label: menu.groups.account, items: [{ path: "account", label: menu.items.account }] },
];

/** What of the menu the user sees; groups without a visible item are left out. */
export function visibleMenu(menu: MenuGroup[], user: AuthUser | null): MenuGroup[] {
  return menu
    .map((group) => ({ ...group, items: group.items.filter((item) => isVisible(group, item, user)) }))
    .filter((group) => group.items.length > 0);
}

/** Any listed level of the item and of its group, and all listed modules. */
function isVisible(group: MenuGroup, item: MenuItem, user: AuthUser | null): boolean {
  if (group.byMaster && !isMaster(user)) return false;
  const modules = [...(group.modules ?? []), ...(item.modules ?? [])];
  if (!modules.every((module) => hasModule(user, module))) return false;
  return [group.levels, item.levels].every((levels) => levels === undefined || holdsAny(user, levels));
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
