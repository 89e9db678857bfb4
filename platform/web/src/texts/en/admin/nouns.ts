/** What the dashboard's kinds of record are called. */
export const nouns = {
  billingRates: {
    singular: "Billing rate",
    plural: "Billing rates",
  },
  checklists: {
    singular: "Checklist",
    plural: "Delivery checklists",
  },
  clients: {
    singular: "Client",
    plural: "Clients",
  },
  containers: {
    singular: "Container",
    plural: "Containers",
  },
  auditTrail: {
    singular: "Entry",
    plural: "Audit trail",
  },
  standing: {
    singular: "Organisation",
    plural: "Health of organisations",
  },
  record: {
    singular: "Entry",
    plural: "Record of the platform",
  },
  runCosts: {
    singular: "Run cost",
    plural: "Run cost calculator",
  },
  driverConfigs: {
    singular: "Driver variant",
    plural: "Driver variants",
  },
  driverUsers: {
    singular: "Driver user",
    plural: "Driver users",
  },
  bin: {
    singular: "Deleted thing",
    plural: "Bin",
  },
  drivers: {
    singular: "Driver",
    plural: "Drivers",
  },
  actions: {
    singular: "Action",
    plural: "Events & actions",
  },
  exportList: {
    singular: "Export",
    plural: "Exports",
  },
  filenameRegex: {
    singular: "Filename regex",
    plural: "Filename regex",
  },
  messages: {
    singular: "Message",
    plural: "Messages",
  },
  hauliers: {
    singular: "Haulier",
    plural: "Hauliers",
  },
  jobs: {
    singular: "Job",
    plural: "Jobs",
  },
  locations: {
    singular: "Location",
    plural: "Locations",
  },
  organisations: {
    singular: "Organisation",
    plural: "Organisations",
  },
  reasons: {
    singular: "Proof reason",
    plural: "Proof reasons",
  },
  returns: {
    singular: "Return",
    plural: "Returns",
  },
  roles: {
    singular: "Role",
    plural: "Roles",
  },
  runCodeMaps: {
    singular: "Run code map",
    plural: "Run code maps",
  },
  runs: {
    singular: "Run",
    plural: "Runs",
  },
  scenarioReasons: {
    singular: "Scenario reason",
    plural: "Scenario reasons",
  },
  scenarioTemplates: {
    singular: "Scenario template",
    plural: "Scenario templates",
  },
  scenarios: {
    singular: "Scenario",
    plural: "Scenarios",
  },
  searchJobs: {
    singular: "Job",
    plural: "Search jobs",
  },
  searchUnits: {
    singular: "Unit",
    plural: "Search units",
  },
  searchRuns: {
    singular: "Run",
    plural: "Search runs",
  },
  tags: {
    singular: "Job tag",
    plural: "Job tags",
  },
  territories: {
    singular: "Territory",
    plural: "Territories",
  },
  territoryGroups: {
    singular: "Territory group",
    plural: "Territory groups",
  },
  trackingDevices: {
    singular: "Tracking device",
    plural: "Tracking devices",
  },
  units: {
    singular: "Unit",
    plural: "Units",
  },
  users: {
    singular: "User",
    plural: "Users",
  },
  vehicleTypes: {
    singular: "Vehicle type",
    plural: "Vehicle definition",
  },
  vehicles: {
    singular: "Vehicle",
    plural: "Vehicles",
  },
};
