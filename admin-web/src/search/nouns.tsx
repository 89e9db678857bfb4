import { DateInput, SelectInput } from "react-admin";
import { ManyInput, OneInput } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../resource/noun.ts";
import { choices } from "../resource/planning.ts";
import { ExportButtons } from "./ExportButtons.tsx";

const days = [
  <DateInput key="start" source="scheduled_date_start" label="From" />,
  <DateInput key="end" source="scheduled_date_end" label="Until" />,
];
const scenario = <OneInput key="scenario" source="scenario_ids" of="database/scenarios" label="Scenario" />;
const driver = <OneInput key="driver" source="driver_id" of="database/drivers" />;

/** Searches jobs of all scenarios. */
export const searchJobs: Noun = {
  name: "delivery_management/search_jobs",
  path: "search/jobs",
  opens: "database/jobs",
  singular: "Job",
  plural: "Search jobs",
  levels: { ...levelsOf("jobs"), read: "job_search_view" },
  representation: "uid",
  deletable: false,
  columns: [
    { source: "uid" },
    { source: "customer_name", sortable: false },
    { source: "location.address" },
    { source: "scenario.name", label: "Scenario" },
    { source: "scenario.scheduled_date", label: "Date", kind: "day" },
    { source: "run.uid", label: "Run" },
    { source: "tags", kind: "names", sortable: false },
    { source: "eta", kind: "moment", sortable: false },
    { source: "visited", kind: "yesno", sortable: false },
    { source: "successful", kind: "yesno", sortable: false },
    { source: "invoice", sortable: false, hidden: true },
    { source: "reference", sortable: false, hidden: true },
  ],
  filters: [
    ...days,
    scenario,
    driver,
    <ManyInput key="tags" source="tag_ids" of="organisation_settings/job_tag_definition" label="Tags" />,
  ],
  listActions: <ExportButtons path="/search/jobs/export" name="jobs" />,
};

/** Searches units of all scenarios. */
export const searchUnits: Noun = {
  name: "delivery_management/search_units",
  path: "search/units",
  opens: "database/units",
  singular: "Unit",
  plural: "Search units",
  levels: { ...levelsOf("units"), read: "unit_search_view" },
  module: "units",
  representation: "uid",
  deletable: false,
  columns: [
    { source: "uid" },
    { source: "name", sortable: false },
    { source: "job.uid", label: "Job" },
    { source: "job.customer_name", label: "Customer" },
    { source: "scenario.name", label: "Scenario" },
    { source: "scenario.scheduled_date", label: "Date", kind: "day" },
    { source: "invoice", sortable: false },
    { source: "reference", sortable: false },
    { source: "is_in_pool", label: "In pool", kind: "yesno", sortable: false },
  ],
  filters: [...days, scenario],
  listActions: <ExportButtons path="/search/units/export" name="units" />,
};

/** Searches runs of all scenarios. */
export const searchRuns: Noun = {
  name: "delivery_management/search_runs",
  path: "search/runs",
  opens: "database/runs",
  singular: "Run",
  plural: "Search runs",
  levels: { ...levelsOf("runs"), read: "run_search_view" },
  representation: "uid",
  deletable: false,
  columns: [
    { source: "uid" },
    { source: "scenario.name", label: "Scenario" },
    { source: "scenario.scheduled_date", label: "Date", kind: "day" },
    { source: "driver.uid", label: "Driver" },
    { source: "vehicle.uid", label: "Vehicle" },
    { source: "status", sortable: false },
    { source: "distance", kind: "distance", sortable: false },
    { source: "dispatched", kind: "yesno", sortable: false },
    { source: "validated_at", kind: "moment", sortable: false },
  ],
  filters: [
    ...days,
    scenario,
    driver,
    <SelectInput
      key="status"
      source="status"
      choices={choices(["pending", "started", "driving", "closed"])}
    />,
  ],
  listActions: <ExportButtons path="/search/runs/export" name="runs" />,
};
