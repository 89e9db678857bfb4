import { texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

/** Why a scenario was changed after dispatch or deleted. */
export const scenarioReasons: Noun = {
  name: "organisation_settings/scenario_reasons",
  path: "scenario_reasons",
  ...texts.admin.nouns.scenarioReasons,
  levels: levelsOf("reason"),
  representation: "name",
  columns: [{ source: "name" }, { source: "created", kind: "moment", sortable: false, hidden: true }],
  form: () => <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />,
};
