import { texts } from "@routewright/web";
import { SelectInput } from "react-admin";
import { DAY_FILTERS, ManyInput, OneInput, SCENARIO_FILTER } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { choices, SERVED } from "../../resource/planning.ts";
import { UnitDetailsButton } from "../../database/units/UnitDetails.tsx";

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
    { source: "customer_name" },
    { source: "location.address" },
    { source: "scenario.name", label: texts.admin.shared.scenario },
    { source: "scenario.scheduled_date", label: texts.admin.shared.date, kind: "day" },
    { source: "run.uid", label: texts.admin.shared.run },
    { source: "tags", kind: "names", sortable: false },
    { source: "eta", kind: "moment" },
    { source: "visited", kind: "yesno", sortable: false },
    { source: "successful", kind: "yesno", sortable: false },
    { source: "invoice", hidden: true },
    { source: "reference", hidden: true },
  ],
  filters: [
    ...DAY_FILTERS,
    SCENARIO_FILTER,
    driver,
    <SelectInput key="served" source="served" choices={SERVED} />,
    <ManyInput
      key="tags"
      source="tag_ids"
      of="organisation_settings/job_tag_definition"
      label={texts.admin.shared.tags}
    />,
  ],
  files: { path: "/search/jobs/export", name: "jobs" },
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
    { source: "name" },
    { source: "job.uid", label: texts.admin.shared.job },
    { source: "job.customer_name", label: texts.admin.shared.customer },
    { source: "scenario.name", label: texts.admin.shared.scenario },
    { source: "scenario.scheduled_date", label: texts.admin.shared.date, kind: "day" },
    { source: "invoice" },
    { source: "reference" },
    { source: "is_in_pool", label: texts.admin.shared.inPool, kind: "yesno", sortable: false },
  ],
  filters: [...DAY_FILTERS, SCENARIO_FILTER, driver],
  rowActions: <UnitDetailsButton />,
  files: { path: "/search/units/export", name: "units" },
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
    { source: "status", kind: "choice", sortable: false },
    { source: "distance", kind: "distance" },
    { source: "dispatched", kind: "yesno", sortable: false },
    { source: "validated_at", kind: "moment" },
  ],
  filters: [
    ...DAY_FILTERS,
    SCENARIO_FILTER,
    driver,
    <SelectInput
      key="status"
      source="status"
      choices={choices(["pending", "started", "driving", "closed"])}
    />,
  ],
  files: { path: "/search/runs/export", name: "runs" },
};
