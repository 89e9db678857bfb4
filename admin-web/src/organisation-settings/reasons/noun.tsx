import { texts } from "@routewright/web";
import { BooleanInput, SelectArrayInput, TextInput } from "react-admin";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

const APPLIES_TO = [
  { id: "job", name: texts.admin.shared.job },
  { id: "load", name: texts.admin.reasons.loading },
  { id: "deliver", name: texts.admin.reasons.unloading },
  { id: "pickup", name: texts.admin.reasons.pickUp },
  { id: "at_depot", name: texts.admin.reasons.atDepot },
];

/** Why a delivery went as it did; `ok` reasons do not count as exceptions. */
export const reasons: Noun = {
  name: "organisation_settings/proof_reasons",
  path: "reasons",
  ...texts.admin.nouns.reasons,
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
      <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
      <BooleanInput source="ok" label={texts.admin.reasons.ok} />
      <SelectArrayInput
        source="applies_to"
        choices={APPLIES_TO}
        helperText={texts.admin.reasons.appliesToHelp}
      />
    </>
  ),
  defaults: () => ({ ok: false, applies_to: [] }),
};
