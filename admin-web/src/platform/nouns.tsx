import { texts } from "@routewright/web";
import { BooleanInput, SelectInput, TextInput } from "react-admin";
import { levelsOf, type Noun } from "../data/noun.ts";
import { DayInput, OneInput } from "../inputs/index.ts";
import { choices } from "../resource/planning.ts";
import { Advance } from "./Advance.tsx";
import { BringBack } from "./BringBack.tsx";
import { Copies } from "./Copies.tsx";
import { Suspension } from "./Suspension.tsx";

/** How every organisation stands: database, state, schema version; deleted ones too, until they are purged. */
export const standing: Noun = {
  name: "platform/standing",
  path: "operators/organisations",
  ...texts.admin.nouns.standing,
  levels: levelsOf("organisations"),
  byMaster: true,
  deletable: false,
  representation: "name",
  columns: [
    { source: "name" },
    { source: "state", kind: "choice" },
    { source: "placement", sortable: false, hidden: true },
    {
      source: "schema_version",
      render: ({ schema_version, current_version }) => `${schema_version ?? "–"} / ${current_version}`,
    },
    { source: "schema_error", sortable: false },
    { source: "suspended_at", kind: "moment", sortable: false },
    { source: "suspension_reason", sortable: false, hidden: true },
    { source: "canary", kind: "yesno", sortable: false, hidden: true },
    { source: "users_count", kind: "number", sortable: false, hidden: true },
    { source: "last_login", kind: "moment", sortable: false },
    { source: "deleted_at", kind: "moment", sortable: false, hidden: true },
    { source: "created", kind: "moment", hidden: true },
  ],
  filters: [
    <SelectInput
      key="state"
      source="state"
      choices={choices(["provisioning", "ready", "failed", "deleting"])}
      alwaysOn
    />,
    <BooleanInput key="suspended" source="suspended" />,
    <BooleanInput key="canary" source="canary" />,
  ],
  rowActions: (
    <>
      <Advance />
      <BringBack />
      <Copies />
      <Suspension />
    </>
  ),
};

/** What was done on the platform, by whom. */
export const record: Noun = {
  name: "platform/record",
  path: "operators/audit",
  ...texts.admin.nouns.record,
  levels: levelsOf("organisations"),
  byMaster: true,
  deletable: false,
  representation: "action",
  columns: [
    { source: "at", kind: "moment" },
    { source: "user_email", sortable: false },
    { source: "organisation_id", reference: "management/organisations", sortable: false },
    { source: "action", kind: "choice", sortable: false },
    { source: "subject", sortable: false },
    { source: "request_id", sortable: false, hidden: true },
  ],
  filters: [
    <OneInput key="organisation" source="organisation_id" of="management/organisations" />,
    <TextInput key="subject" source="subject" />,
    <DayInput key="start" source="at_start" label={texts.admin.shared.from} />,
    <DayInput key="end" source="at_end" label={texts.admin.shared.until} />,
  ],
};
