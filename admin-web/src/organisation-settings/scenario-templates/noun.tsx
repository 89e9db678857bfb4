import { texts } from "@routewright/web";
import { SelectArrayInput, TextInput } from "react-admin";
import { ManyInput, OneInput, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { COPY_CHOICES, DAY_CHOICES } from "../../resource/planning.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

/** Templates that new scenarios are made from. */
export const scenarioTemplates: Noun = {
  name: "organisation_settings/scenario_templates",
  path: "scenarios/templates",
  ...texts.admin.nouns.scenarioTemplates,
  levels: levelsOf("scenarios"),
  representation: "name",
  columns: [
    { source: "name" },
    { source: "name_pattern", sortable: false },
    {
      source: "copy_of_scenario_id",
      label: texts.admin.scenarioTemplates.copyOf,
      reference: "database/scenarios",
      sortable: false,
    },
    { source: "copy_items", kind: "names", sortable: false },
    { source: "days", kind: "names", sortable: false },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <TextInput source="name_pattern" helperText={texts.admin.scenarioTemplates.patternHelp} />
      </Row>
      <Row>
        <OneInput
          source="copy_of_scenario_id"
          of="database/scenarios"
          label={texts.admin.scenarioTemplates.copyOfScenario}
        />
        <SelectArrayInput source="copy_items" choices={COPY_CHOICES} />
        <SelectArrayInput source="days" choices={DAY_CHOICES} />
      </Row>
      <Row>
        <ManyInput
          source="default_active_driver_ids"
          of="database/drivers"
          label={texts.admin.shared.drivers}
        />
        <ManyInput source="territory_group_ids" of="organisation_settings/territory_settings" />
      </Row>
      <ManyInput source="job_ids" of="database/jobs" label={texts.admin.scenarioTemplates.jobsOfThePool} />
    </>
  ),
  defaults: () => ({ name_pattern: "{date} {template}", copy_items: [], days: [] }),
};
