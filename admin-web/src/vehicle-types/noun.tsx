import { NumberInput, TextInput } from "react-admin";
import { Row, WordsInput } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../resource/noun.ts";
import { amount, between, needed, notBlank, size } from "../validators.ts";

/** Kinds of vehicle with the values they fill into a vehicle. */
export const vehicleTypes: Noun = {
  name: "organisation_settings/vehicle_definition",
  path: "config_values",
  singular: "Vehicle type",
  plural: "Vehicle definition",
  levels: levelsOf("organisation_settings"),
  representation: "key",
  fixed: { group: "vehicle_definition" },
  unsearchable: true,
  columns: [
    { source: "key", sortable: false },
    { source: "value.name", label: "Name" },
    { source: "value.capacity", label: "Capacity" },
    { source: "value.spec_type", label: "Types", kind: "names" },
    { source: "value.fuel_consumption", label: "l/100 km", kind: "number" },
    { source: "order", kind: "number", sortable: false },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="key" validate={[needed(), notBlank]} />
        <TextInput source="value.name" label="Name" validate={[needed("Name is required"), notBlank]} />
        <NumberInput source="order" />
      </Row>
      <Row>
        <TextInput source="value.capacity" label="Capacity" validate={size} />
        <WordsInput source="value.spec_type" label="Types" joined />
        <NumberInput
          source="value.speed_multiplier"
          label="Speed multiplier"
          validate={between(0.1, 3)}
          step={0.05}
        />
      </Row>
      <Row>
        <NumberInput
          source="value.fuel_consumption"
          label="Fuel consumption (l/100 km)"
          validate={amount}
          step="any"
        />
        <NumberInput source="value.co2_per_litre" label="CO2 per litre (g)" validate={amount} step="any" />
        <TextInput source="value.icon" label="Icon" />
      </Row>
    </>
  ),
  defaults: () => ({ order: 0, value: {} }),
};
