import { texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { ExtraFieldsInput } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../data/noun.ts";
import { needed, notBlank } from "../inputs/validators.ts";

/** Containers: groups of units. */
export const containers: Noun = {
  name: "containers/search_containers",
  path: "containers",
  ...texts.admin.nouns.containers,
  levels: levelsOf("containers"),
  module: "containers",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "units", kind: "count", sortable: false },
    { source: "job_ids", label: texts.admin.shared.jobs, kind: "count", sortable: false },
    { source: "created", kind: "moment" },
  ],
  form: () => (
    <>
      <TextInput source="uid" validate={[needed(texts.checks.uidRequired), notBlank]} />
      <ExtraFieldsInput source="extra_fields" />
    </>
  ),
  defaults: () => ({ extra_fields: {} }),
  toSend: ({ uid, extra_fields }) => ({ uid, extra_fields }),
};
