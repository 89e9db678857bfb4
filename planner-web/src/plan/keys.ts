/** Names of the server's answers in the query cache. */
export const keys = {
  scenario: (id: number) => ["scenario", id] as const,
  scenarios: ["scenarios"] as const,
  jobs: (scenarioId: number) => ["plan", scenarioId, "jobs"] as const,
  /** The first page of the jobs, while the others are on their way. */
  firstJobs: (scenarioId: number) => ["first-jobs", scenarioId] as const,
  runs: (scenarioId: number) => ["plan", scenarioId, "runs"] as const,
  plan: (scenarioId: number) => ["plan", scenarioId] as const,
  run: (id: number) => ["run", id] as const,
  job: (id: number) => ["job", id] as const,
  unit: (id: number) => ["unit", id] as const,
  jobProofs: (id: number) => ["job", id, "proofs"] as const,
  units: (scenarioId: number) => ["plan", scenarioId, "units"] as const,
  gps: (scenarioId: number) => ["plan", scenarioId, "gps"] as const,
  /** Positions of the last hours. */
  tracks: (scenarioId: number) => ["plan", scenarioId, "gps", "tracks"] as const,
  /** The contact with drivers' phones. */
  contacts: (scenarioId: number) => ["plan", scenarioId, "contacts"] as const,
  /** What the user could take back, or do again. */
  steps: (scenarioId: number) => ["plan", scenarioId, "steps"] as const,
  optimisation: (scenarioId: number) => ["plan", scenarioId, "optimisation"] as const,
  /** Of one job, or of all that are unserved or late. */
  diagnosis: (scenarioId: number, jobId: number | null) => ["plan", scenarioId, "diagnosis", jobId] as const,
  check: (scenarioId: number) => ["plan", scenarioId, "check"] as const,
  jobPages: ["job-pages"] as const,
  drivers: ["drivers"] as const,
  vehicles: ["vehicles"] as const,
  driverUsers: ["driver-users"] as const,
  /** What drivers recorded and a planner has to decide on. */
  evidence: ["evidence"] as const,
  /** Other days that customers asked for. */
  requests: ["reschedule-requests"] as const,
  /** Addresses whose places somebody should look at. */
  addresses: ["addresses-to-confirm"] as const,
  reasons: ["reasons"] as const,
  scenarioReasons: ["scenario-reasons"] as const,
  tags: ["tags"] as const,
  users: ["users"] as const,
  billingRates: ["billing-rates"] as const,
  territories: ["territories"] as const,
  territoryGroups: ["territory-groups"] as const,
  mapConfig: ["map-config"] as const,
  sms: ["sms-configuration"] as const,
  notifications: (organisationId: number) =>
    ["information", organisationId, "notification_settings"] as const,
  appSettings: (organisationId: number) => ["information", organisationId, "app_settings"] as const,
};
