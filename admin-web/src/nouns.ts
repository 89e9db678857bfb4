import { runCosts } from "./costing/noun.tsx";
import { actions } from "./events-actions/noun.tsx";
import { exportList } from "./exports/noun.tsx";
import { searchJobs, searchRuns, searchUnits } from "./search/nouns.tsx";
import { billingRates } from "./billing-rates/noun.tsx";
import { checklists } from "./checklists/noun.tsx";
import { clients } from "./clients/noun.tsx";
import { containers } from "./containers/noun.tsx";
import { driverConfigs } from "./driver-configs/noun.tsx";
import { driverUsers } from "./driver-users/noun.tsx";
import { drivers } from "./drivers/noun.tsx";
import { filenameRegex } from "./filename-regex/noun.tsx";
import { hauliers } from "./hauliers/noun.tsx";
import { jobs } from "./jobs/noun.tsx";
import { locations } from "./locations/noun.tsx";
import { organisations } from "./organisations/noun.tsx";
import { reasons } from "./reasons/noun.tsx";
import type { Noun } from "./resource/noun.ts";
import { returns } from "./returns/noun.tsx";
import { roles } from "./roles/noun.tsx";
import { runCodeMaps } from "./run-code-maps/noun.tsx";
import { runs } from "./runs/noun.tsx";
import { scenarioReasons } from "./scenario-reasons/noun.tsx";
import { scenarioTemplates } from "./scenario-templates/noun.tsx";
import { scenarios } from "./scenarios/noun.tsx";
import { tags } from "./tags/noun.tsx";
import { territories } from "./territories/noun.tsx";
import { territoryGroups } from "./territory-groups/noun.tsx";
import { units } from "./units/noun.tsx";
import { users } from "./users/noun.tsx";
import { vehicleTypes } from "./vehicle-types/noun.tsx";
import { vehicles } from "./vehicles/noun.tsx";

/** Every kind of record that the dashboard lists and edits. */
export const NOUNS: Noun[] = [
  organisations,
  users,
  roles,
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
  reasons,
  scenarioReasons,
  tags,
  vehicleTypes,
  territoryGroups,
  scenarioTemplates,
  checklists,
  vehicles,
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
