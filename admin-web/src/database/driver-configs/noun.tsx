import { texts } from "@routewright/web";
import { BooleanInput, SelectArrayInput, TextInput } from "react-admin";
import { OneInput, PlanningInputs, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { DAY_CHOICES } from "../../resource/planning.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

/** Named variants of a driver's planning defaults; an empty field keeps the driver's. */
export const driverConfigs: Noun = {
  name: "database/driver_configs",
  path: "drivers/configs",
  ...texts.admin.nouns.driverConfigs,
  levels: levelsOf("drivers"),
  representation: "name",
  columns: [
    { source: "name" },
    { source: "driver_id", reference: "database/drivers", sortable: false },
    { source: "days", kind: "names", sortable: false },
    { source: "shift_start", kind: "clock", sortable: false },
    { source: "shift_end", kind: "clock", sortable: false },
    { source: "capacity", kind: "size", sortable: false },
    { source: "active", kind: "yesno", sortable: false },
  ],
  filters: [<OneInput key="driver_id" source="driver_id" of="database/drivers" />],
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <OneInput source="driver_id" of="database/drivers" validate={needed()} />
      </Row>
      <Row>
        <SelectArrayInput
          source="days"
          choices={DAY_CHOICES}
          helperText={texts.admin.driverConfigs.daysHelp}
        />
        <BooleanInput source="active" />
      </Row>
      <PlanningInputs startSource="start_location" />
    </>
  ),
  defaults: () => ({ days: [], active: true }),
};
