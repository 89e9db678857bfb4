import { texts } from "@routewright/web";
import { BooleanInput } from "react-admin";

import { DAY_FILTERS, OneInput, SCENARIO_FILTER } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { DeleteRun, RunEdit } from "./RunEdit.tsx";
import { ValidateRuns } from "./ValidateRuns.tsx";

/** Runs: one driver's route of a scenario. They are made by planning, here they are corrected and validated. */
export const runs: Noun = {
  name: "database/runs",
  path: "runs",
  ...texts.admin.nouns.runs,
  audited: "run",
  levels: levelsOf("runs"),
  ids: "run_ids",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "scenario_id", reference: "database/scenarios", sortBy: "scenario" },
    { source: "driver.uid", sortBy: "driver", label: texts.runs.fields.driver },
    { source: "driver_user_id", reference: "transport_management/driver_users", sortable: false },
    { source: "vehicle.uid", sortBy: "vehicle", label: texts.runs.fields.vehicle },
    { source: "status", kind: "choice", sortable: false },
    { source: "distance", kind: "distance" },
    { source: "actual_start_time", kind: "moment" },
    { source: "actual_end_time", kind: "moment" },
    { source: "dispatched", kind: "yesno" },
    { source: "validated_at", kind: "moment" },
    { source: "created", kind: "moment", hidden: true },
  ],
  filters: [
    SCENARIO_FILTER,
    <OneInput key="driver" source="driver_id" of="database/drivers" />,
    <OneInput key="vehicle" source="vehicle_id" of="transport_management/vehicles" />,
    <BooleanInput key="dispatched" source="dispatched" />,
    <BooleanInput key="validated" source="validated" />,
    ...DAY_FILTERS,
  ],
  creatable: false,
  edit: () => <RunEdit noun={runs} />,
  toSend: sendable,
  bulkActions: <ValidateRuns />,
  deleteButton: <DeleteRun />,
};

const WRITABLE = [
  "start_location",
  "end_location",
  "vehicle_id",
  "billing_rate_id",
  "lunch_duration",
  "driver_user_id",
  "validated_by_id",
  "shift_start",
  "shift_end",
  "lunch_time",
  "lunch_latest_start",
  "planned_start_time",
  "planned_end_time",
  "actual_start_time",
  "actual_end_time",
  "billing_start_time",
  "capacity",
  "alternatives_group",
  "email",
  "spec_type",
  "phone_number",
  "route_end",
  "preferred_method",
  "route_colour",
  "start_odometer",
  "end_odometer",
  "additional_billing_kms",
  "min_billing_hours",
  "speed_multiplier",
  "device_id",
];

/** The fields that a change of a run may carry; an end location only with that route end, capacity `0` when empty. */
export function sendable(run: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.fromEntries(WRITABLE.filter((name) => name in run).map((name) => [name, run[name]]));
  if (fields["route_end"] !== "end_location") fields["end_location"] = null;
  if (!fields["capacity"]) fields["capacity"] = "0";
  return fields;
}
