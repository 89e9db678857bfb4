import { JOB_COLOUR, texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { ColourInput, Row } from "../../inputs/index.ts";
import type { Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

/** Tags that jobs are marked with. */
export const tags: Noun = {
  name: "organisation_settings/job_tag_definition",
  path: "tags",
  ...texts.admin.nouns.tags,
  levels: {
    read: "jobs_read",
    write: "organisation_settings_write",
    delete: "organisation_settings_write",
  },
  ids: "tag_ids",
  representation: "name",
  columns: [
    { source: "name" },
    { source: "color", label: texts.admin.tags.colour, kind: "colour", sortable: false },
  ],
  form: () => (
    <Row>
      <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
      <ColourInput source="color" label={texts.admin.tags.colour} />
    </Row>
  ),
  defaults: () => ({ color: JOB_COLOUR }),
};
