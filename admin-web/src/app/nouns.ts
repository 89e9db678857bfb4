import { runCosts } from "../costing-management/run-costs/noun.tsx";
import { auditTrail } from "../management/audit/noun.tsx";
import { actions } from "../events-and-actions/noun.tsx";
import { exportList } from "../exports/noun.tsx";
import { searchJobs, searchRuns, searchUnits } from "../delivery-management/search/nouns.tsx";
import { bin } from "../database/bin/noun.tsx";
import { billingRates } from "../costing-management/billing-rates/noun.tsx";
import { checklists } from "../organisation-settings/checklists/noun.tsx";
import { clients } from "../database/clients/noun.tsx";
import { containers } from "../containers/noun.tsx";
import { driverConfigs } from "../database/driver-configs/noun.tsx";
import { driverUsers } from "../transport-management/driver-users/noun.tsx";
import { drivers } from "../database/drivers/noun.tsx";
import { filenameRegex } from "../database/filename-regex/noun.tsx";
import { hauliers } from "../transport-management/hauliers/noun.tsx";
import { jobs } from "../database/jobs/noun.tsx";
import { messages } from "../delivery-management/messages/noun.tsx";
import { locations } from "../database/locations/noun.tsx";
import { organisations } from "../management/organisations/noun.tsx";
import { reasons } from "../organisation-settings/reasons/noun.tsx";
import type { Noun } from "../data/noun.ts";
import { record, standing } from "../platform/nouns.tsx";
import { returns } from "../returns/noun.tsx";
import { roles } from "../management/roles/noun.tsx";
import { runCodeMaps } from "../database/run-code-maps/noun.tsx";
import { runs } from "../database/runs/noun.tsx";
import { scenarioReasons } from "../organisation-settings/scenario-reasons/noun.tsx";
import { scenarioTemplates } from "../organisation-settings/scenario-templates/noun.tsx";
import { scenarios } from "../database/scenarios/noun.tsx";
import { tags } from "../organisation-settings/tags/noun.tsx";
import { territories } from "../database/territories/noun.tsx";
import { territoryGroups } from "../organisation-settings/territory-groups/noun.tsx";
import { trackingDevices } from "../transport-management/tracking-devices/noun.tsx";
import { units } from "../database/units/noun.tsx";
import { users } from "../management/users/noun.tsx";
import { vehicleTypes } from "../organisation-settings/vehicle-types/noun.tsx";
import { vehicles } from "../transport-management/vehicles/noun.tsx";

/** Every kind of record that the dashboard lists and edits. */
export const NOUNS: Noun[] = [
  standing,
  record,
  organisations,
  users,
  roles,
  auditTrail,
  scenarios,
  jobs,
  drivers,
  driverConfigs,
  runs,
  units,
  locations,
  clients,
  territories,
  filenameRegex,
  runCodeMaps,
  bin,
  reasons,
  scenarioReasons,
  tags,
  vehicleTypes,
  territoryGroups,
  scenarioTemplates,
  checklists,
  vehicles,
  trackingDevices,
  messages,
  hauliers,
  driverUsers,
  returns,
  containers,
  billingRates,
  runCosts,
  searchJobs,
  searchUnits,
  searchRuns,
  actions,
  exportList,
];
