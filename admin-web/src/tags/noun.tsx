import { JOB_COLOUR } from "@routewright/web";
import { TextInput } from "react-admin";
import { ColourInput, Row } from "../inputs/index.ts";
import type { Noun } from "../resource/noun.ts";
import { needed, notBlank } from "../validators.ts";

/** Tags that jobs are marked with. */
export const tags: Noun = {
  name: "organisation_settings/job_tag_definition",
  path: "tags",
  singular: "Job tag",
  plural: "Job tags",
  levels: {
    read: "jobs_read",
    write: "organisation_settings_write",
    delete: "organisation_settings_write",
  },
  ids: "tag_ids",
  representation: "name",
  columns: [{ source: "name" }, { source: "color", label: "Colour", kind: "colour", sortable: false }],
  form: () => (
    <Row>
      <TextInput source="name" validate={[needed("Name is required"), notBlank]} />
      <ColourInput source="color" label="Colour" />
    </Row>
  ),
  defaults: () => ({ color: JOB_COLOUR }),
};
