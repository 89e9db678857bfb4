import { BooleanInput, SelectInput } from "react-admin";
import { JOB_COLOUR, session, texts } from "@routewright/web";
import { DAY_FILTERS, ManyInput, OneInput, SCENARIO_FILTER } from "../../inputs/index.ts";
import type { Noun } from "../../data/noun.ts";
import { SERVED } from "../../resource/planning.ts";
import { DownloadPod, JobBulkActions } from "./JobActions.tsx";
import { JobCounts } from "./JobCounts.tsx";
import { JobForm } from "./JobForm.tsx";
import { jobToChange } from "./same-uid.ts";

/** Jobs of all scenarios and of the pool. */
export const jobs: Noun = {
  name: "database/jobs",
  path: "jobs",
  binned: true,
  ...texts.admin.nouns.jobs,
  audited: "job",
  levels: { read: "jobs_read", write: "jobs_write", delete: "jobs_delete" },
  ids: "job_ids",
  representation: "uid",
  searchPause: 800,
  columns: [
    { source: "uid" },
    { source: "customer_name" },
    { source: "location.address", sortBy: "address" },
    { source: "scenario_id", reference: "database/scenarios", sortBy: "scenario" },
    { source: "run_id", reference: "database/runs", sortBy: "run" },
    { source: "seq", kind: "number" },
    { source: "arrive_after", kind: "clock" },
    { source: "leave_by", kind: "clock" },
    { source: "eta", kind: "moment" },
    { source: "size", kind: "size" },
    { source: "tags", kind: "names", sortable: false },
    { source: "visited", kind: "yesno", sortable: false },
    { source: "successful", kind: "yesno", sortable: false, hidden: true },
    { source: "priority", kind: "yesno", hidden: true },
    { source: "phone_number", hidden: true },
    { source: "customer_email", hidden: true },
    { source: "created", kind: "moment", hidden: true },
  ],
  filters: [
    ...DAY_FILTERS,
    SCENARIO_FILTER,
    <OneInput key="run" source="run_ids" of="database/runs" label={texts.admin.shared.run} />,
    <OneInput key="driver" source="driver_id" of="database/drivers" />,
    <OneInput key="client" source="client_id" of="database/clients" />,
    <SelectInput key="served" source="served" choices={SERVED} />,
    <BooleanInput key="priority" source="priority" />,
    <ManyInput
      key="tags"
      source="tag_ids"
      of="organisation_settings/job_tag_definition"
      label={texts.admin.shared.tags}
    />,
  ],
  form: JobForm,
  instead: jobToChange,
  listActions: <JobCounts />,
  defaults: () => ({
    duration: session().user?.organisation.settings.job_duration ?? 5,
    colour: JOB_COLOUR,
    priority: false,
    idm: false,
    extra_fields: {},
  }),
  toSend: keepWritable,
  bulkActions: <JobBulkActions />,
  editActions: <DownloadPod />,
};

const WRITABLE = [
  "uid",
  "scenario_id",
  "client_id",
  "location",
  "customer_name",
  "customer_email",
  "phone_number",
  "duration",
  "arrive_after",
  "leave_by",
  "size",
  "spec_type",
  "priority",
  "colour",
  "comments",
  "consignee_info",
  "consignor_info",
  "external_comments",
  "dock_location",
  "invoice",
  "reference",
  "pickup_from",
  "deliver_to",
  "idm",
  "extra_fields",
];

/** The fields a user may set; the rest is computed. */
function keepWritable(job: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(WRITABLE.filter((field) => field in job).map((field) => [field, job[field]]));
}
