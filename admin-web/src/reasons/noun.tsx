import { BooleanInput, SelectArrayInput, TextInput } from "react-admin";
import { levelsOf, type Noun } from "../resource/noun.ts";
import { needed, notBlank } from "../validators.ts";

const APPLIES_TO = [
  { id: "job", name: "Job" },
  { id: "load", name: "Loading" },
  { id: "deliver", name: "Unloading" },
  { id: "pickup", name: "Pick-up" },
  { id: "at_depot", name: "At depot" },
];

/** Why a delivery went as it did; `ok` reasons do not count as exceptions. */
export const reasons: Noun = {
  name: "organisation_settings/proof_reasons",
  path: "reasons",
  singular: "Proof reason",
  plural: "Proof reasons",
  levels: levelsOf("reason"),
  ids: "reason_ids",
  representation: "name",
  columns: [
    { source: "name" },
    { source: "ok", kind: "yesno" },
    { source: "applies_to", kind: "names", sortable: false },
    { source: "created", kind: "moment", sortable: false, hidden: true },
  ],
  form: () => (
    <>
      <TextInput source="name" validate={[needed("Name is required"), notBlank]} />
      <BooleanInput source="ok" label="Counts as delivered as agreed" />
      <SelectArrayInput
        source="applies_to"
        choices={APPLIES_TO}
        helperText="Left empty, it is offered everywhere."
      />
    </>
  ),
  defaults: () => ({ ok: false, applies_to: [] }),
};
