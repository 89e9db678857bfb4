import { texts } from "@routewright/web";
import { DateInput, SelectInput } from "react-admin";
import { ManyInput, OneInput } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { choices } from "../../resource/planning.ts";
import { UnitDetailsButton } from "../../database/units/UnitDetails.tsx";
import { ExportButtons } from "./ExportButtons.tsx";

const days = [
  <DateInput key="start" source="scheduled_date_start" label={texts.admin.shared.from} />,
  <DateInput key="end" source="scheduled_date_end" label={texts.admin.shared.until} />,
];
const scenario = (
  <OneInput
    key="scenario"
    source="scenario_ids"
    of="database/scenarios"
    label={texts.admin.shared.scenario}
  />
);
const driver = <OneInput key="driver" source="driver_id" of="database/drivers" />;

/** Searches jobs of all scenarios. */
export const searchJobs: Noun = {
  name: "delivery_management/search_jobs",
  path: "search/jobs",
  opens: "database/jobs",
  ...texts.admin.nouns.searchJobs,
  levels: { ...levelsOf("jobs"), read: "job_search_view" },
  representation: "uid",
  deletable: false,
  columns: [
    { source: "uid" },
    { source: "customer_name", sortable: false },
    { source: "location.address" },
    { source: "scenario.name", label: texts.admin.shared.scenario },
    { source: "scenario.scheduled_date", label: texts.admin.shared.date, kind: "day" },
    { source: "run.uid", label: texts.admin.shared.run },
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
    <ManyInput
      key="tags"
      source="tag_ids"
      of="organisation_settings/job_tag_definition"
      label={texts.admin.shared.tags}
    />,
  ],
  listActions: <ExportButtons path="/search/jobs/export" name="jobs" />,
};

/** Searches units of all scenarios. */
export const searchUnits: Noun = {
  name: "delivery_management/search_units",
  path: "search/units",
  opens: "database/units",
  ...texts.admin.nouns.searchUnits,
  levels: { ...levelsOf("units"), read: "unit_search_view" },
  module: "units",
  representation: "uid",
  deletable: false,
  columns: [
    { source: "uid" },
    { source: "name", sortable: false },
    { source: "job.uid", label: texts.admin.shared.job },
    { source: "job.customer_name", label: texts.admin.shared.customer },
    { source: "scenario.name", label: texts.admin.shared.scenario },
    { source: "scenario.scheduled_date", label: texts.admin.shared.date, kind: "day" },
    { source: "invoice", sortable: false },
    { source: "reference", sortable: false },
    { source: "is_in_pool", label: texts.admin.shared.inPool, kind: "yesno", sortable: false },
  ],
  filters: [...days, scenario],
  rowActions: <UnitDetailsButton />,
  listActions: <ExportButtons path="/search/units/export" name="units" />,
};

/** Searches runs of all scenarios. */
export const searchRuns: Noun = {
  name: "delivery_management/search_runs",
  path: "search/runs",
  opens: "database/runs",
  ...texts.admin.nouns.searchRuns,
  levels: { ...levelsOf("runs"), read: "run_search_view" },
  representation: "uid",
  deletable: false,
  columns: [
    { source: "uid" },
    { source: "scenario.name", label: texts.admin.shared.scenario },
    { source: "scenario.scheduled_date", label: texts.admin.shared.date, kind: "day" },
    { source: "driver.uid", label: texts.admin.shared.driver },
    { source: "vehicle.uid", label: texts.admin.shared.vehicle },
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
