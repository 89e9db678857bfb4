import { texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { OneInput, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

/** The freight forwarder's route codes and the drivers and vehicles they stand for. */
export const runCodeMaps: Noun = {
  name: "database/run_code_maps",
  path: "gefco/run_code_maps",
  ...texts.admin.nouns.runCodeMaps,
  levels: levelsOf("run_code_maps"),
  module: "gefco",
  representation: "run_code",
  columns: [
    { source: "run_code" },
    { source: "driver_id", reference: "database/drivers", sortable: false },
    { source: "depot_code", sortable: false },
    { source: "vehicle_id", reference: "transport_management/vehicles", sortable: false },
    { source: "description", sortable: false },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="run_code" validate={[needed(), notBlank]} />
        <TextInput source="depot_code" />
      </Row>
      <Row>
        <OneInput source="driver_id" of="database/drivers" validate={needed()} />
        <OneInput source="vehicle_id" of="transport_management/vehicles" />
      </Row>
      <TextInput source="description" multiline />
    </>
  ),
};
