import { texts } from "@routewright/web";
import { TextInput } from "react-admin";
import {
  NumberInput,
  ConsumptionInput,
  OnRoadInputs,
  Row,
  SizeInput,
  TypesInput,
} from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { amount, between, needed, notBlank } from "../../inputs/validators.ts";

/** Kinds of vehicle with the values they fill into a vehicle. */
export const vehicleTypes: Noun = {
  name: "organisation_settings/vehicle_definition",
  path: "config_values",
  ...texts.admin.nouns.vehicleTypes,
  levels: levelsOf("organisation_settings"),
  representation: "key",
  fixed: { group: "vehicle_definition" },
  unsearchable: true,
  columns: [
    { source: "key" },
    { source: "value.name", label: texts.admin.shared.name },
    { source: "value.capacity", label: texts.admin.shared.capacity, kind: "size" },
    { source: "value.spec_type", label: texts.admin.vehicleTypes.types, kind: "names" },
    { source: "value.fuel_consumption", label: texts.admin.shared.fuelConsumption, kind: "consumption" },
    { source: "order", kind: "number" },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="key" validate={[needed(), notBlank]} />
        <TextInput
          source="value.name"
          label={texts.admin.shared.name}
          validate={[needed(texts.admin.shared.nameRequired), notBlank]}
        />
        <NumberInput source="order" />
      </Row>
      <Row>
        <SizeInput source="value.capacity" label={texts.admin.shared.capacity} limits />
        <TypesInput source="value.spec_type" label={texts.admin.vehicleTypes.types} />
        <NumberInput
          source="value.speed_multiplier"
          label={texts.admin.vehicleTypes.speedMultiplier}
          validate={between(0.1, 3)}
        />
      </Row>
      <Row>
        <ConsumptionInput source="value.fuel_consumption" />
        <NumberInput source="value.co2_per_litre" label={texts.admin.shared.co2PerLitre} validate={amount} />
        <TextInput source="value.icon" label={texts.admin.vehicleTypes.icon} />
      </Row>
      <OnRoadInputs of="value" />
    </>
  ),
  defaults: () => ({ order: 0, value: {} }),
};
