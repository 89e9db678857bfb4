import { texts, fill } from "@routewright/web";
import { ArrayInput, BooleanInput, SelectInput, SimpleFormIterator, TextInput } from "react-admin";
import { Row } from "../../inputs/index.ts";
import type { Fields } from "../../data/changes.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { choices } from "../../resource/planning.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

const MOST_FIELDS = 30;
const FIELD_TYPES = ["checkbox", "date", "time", "image", "signature", "images", "textarea", "text"];

/** Checklists that drivers fill in before starting and ending a route. */
export const checklists: Noun = {
  name: "organisation_settings/delivery_checklist",
  path: "checklist/definitions",
  ...texts.admin.nouns.checklists,
  levels: levelsOf("organisation_settings"),
  representation: "name",
  columns: [
    { source: "name" },
    { source: "type", kind: "choice" },
    { source: "fields", kind: "count", sortable: false },
    { source: "active", kind: "yesno", sortable: false },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <SelectInput source="type" choices={choices(["start_route", "end_route"])} validate={needed()} />
        <BooleanInput source="active" />
      </Row>
      <ArrayInput source="fields" validate={fieldsProblem}>
        <SimpleFormIterator inline fullWidth>
          <TextInput source="label" validate={[needed(), notBlank]} />
          <SelectInput source="type" choices={choices(FIELD_TYPES)} validate={needed()} />
          <BooleanInput source="required" />
        </SimpleFormIterator>
      </ArrayInput>
    </>
  ),
  defaults: () => ({ type: "start_route", active: true, fields: [] }),
  toSend: (checklist) => ({ ...checklist, fields: inOrder(checklist["fields"]) }),
};

function inOrder(fields: unknown): Fields[] {
  return Array.isArray(fields) ? (fields as Fields[]).map((field, at) => ({ ...field, order: at + 1 })) : [];
}

function fieldsProblem(fields: unknown): string | undefined {
  if (!Array.isArray(fields) || fields.length === 0) return texts.admin.checklists.noFields;
  return fields.length > MOST_FIELDS ? fill(texts.admin.checklists.tooMany, { n: MOST_FIELDS }) : undefined;
}
