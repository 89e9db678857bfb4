import { quietApi, dayjs, texts } from "@routewright/web";
import { BooleanInput, SelectInput, TextInput } from "react-admin";
import { sameValue, without } from "../../data/changes.ts";
import { DayInput, ManyInput, OneInput, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { STAGE_CHOICES } from "../../resource/planning.ts";
import { needed, notBlank } from "../../inputs/validators.ts";
import { DeleteScenario } from "./DeleteScenario.tsx";
import { ScenarioActions } from "./ScenarioActions.tsx";

/** Scenarios: one plan of one day each. */
export const scenarios: Noun = {
  name: "database/scenarios",
  path: "scenarios",
  binned: true,
  listPath: "dashboard/scenarios",
  ...texts.admin.nouns.scenarios,
  audited: "scenario",
  levels: levelsOf("scenarios"),
  ids: "scenario_ids",
  representation: "name",
  columns: [
    { source: "name" },
    { source: "scheduled_date", kind: "day" },
    { source: "stage", kind: "choice" },
    { source: "starred", kind: "yesno" },
    { source: "jobs_count", label: texts.scenarios.items.jobs, kind: "number", sortable: false },
    { source: "visited_count", label: texts.admin.scenarios.visited, kind: "number", sortable: false },
    { source: "runs_count", label: texts.scenarios.items.runs, kind: "number", sortable: false },
    { source: "dispatched_count", label: texts.admin.scenarios.dispatched, kind: "number", sortable: false },
    {
      source: "units_count",
      label: texts.scenarios.items.units,
      kind: "number",
      sortable: false,
      hidden: true,
    },
    { source: "created", kind: "moment", hidden: true },
  ],
  filters: [
    <DayInput key="start" source="scheduled_date_start" label={texts.scenarios.from} />,
    <DayInput key="end" source="scheduled_date_end" label={texts.scenarios.until} />,
    <SelectInput key="stage" source="stage" choices={STAGE_CHOICES} />,
    <BooleanInput key="starred" source="starred" />,
  ],
  form: ({ mode }) => (
    <>
      {mode === "create" && (
        <OneInput
          source="template_id"
          of="organisation_settings/scenario_templates"
          label={texts.scenarios.fromTemplate}
          helperText={texts.admin.scenarios.templateHelp}
        />
      )}
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <DayInput source="scheduled_date" validate={needed()} />
      </Row>
      <Row>
        <ManyInput
          source="default_active_driver_ids"
          of="database/drivers"
          label={texts.admin.scenarios.activeDrivers}
        />
        <ManyInput source="territory_group_ids" of="organisation_settings/territory_settings" />
      </Row>
      {mode === "edit" && <BooleanInput source="starred" />}
    </>
  ),
  defaults: () => ({ scheduled_date: dayjs().format("YYYY-MM-DD") }),
  toSend: (form, mode) => {
    const { name, scheduled_date, default_active_driver_ids, territory_group_ids, starred, template_id } =
      form;
    const fields = { name, scheduled_date, starred, default_active_driver_ids };
    return mode === "edit" ? fields : { ...without(fields, "starred"), territory_group_ids, template_id };
  },
  createPath: (scenario) => (scenario["template_id"] ? "scenarios/advanced" : "scenarios"),
  alsoSave: async (id, previous, next) => {
    const ids = next["territory_group_ids"];
    if (previous["id"] === undefined || ids === undefined || sameValue(previous["territory_group_ids"], ids))
      return;
    await quietApi.PUT("/scenarios/{id}/territory_groups", {
      params: { path: { id } },
      body: { territory_group_ids: ids as number[] },
    });
  },
  deleteButton: <DeleteScenario />,
  editActions: <ScenarioActions />,
  said: {
    created: texts.scenarios.created,
    updated: texts.scenarios.updated,
    createFailed: texts.scenarios.createFailed,
    updateFailed: texts.scenarios.updateFailed,
  },
};
