import { TextInput } from "react-admin";
import { ExtraFieldsInput } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../resource/noun.ts";
import { needed, notBlank } from "../validators.ts";

/** Containers: groups of units. */
export const containers: Noun = {
  name: "containers/search_containers",
  path: "containers",
  singular: "Container",
  plural: "Containers",
  levels: levelsOf("containers"),
  module: "containers",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "units", kind: "count", sortable: false },
    { source: "job_ids", label: "Jobs", kind: "count", sortable: false },
    { source: "created", kind: "moment", sortable: false },
  ],
  form: () => (
    <>
      <TextInput source="uid" validate={[needed("UID is required"), notBlank]} />
      <ExtraFieldsInput source="extra_fields" />
    </>
  ),
  defaults: () => ({ extra_fields: {} }),
  toSend: ({ uid, extra_fields }) => ({ uid, extra_fields }),
};
