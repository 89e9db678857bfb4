import { texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { without } from "../../data/changes.ts";
import {
  NumberInput,
  ConsumptionInput,
  OneInput,
  OnRoadInputs,
  Row,
  SizeInput,
  TypesInput,
} from "../../inputs/index.ts";
import { levelsOf, type FormMode, type Noun } from "../../data/noun.ts";
import { amount, between, needed, notBlank, plainCharacters } from "../../inputs/validators.ts";
import { VehicleCost } from "./VehicleCost.tsx";
import { VehicleRates } from "./VehicleRates.tsx";
import { VehicleTypeInput } from "./VehicleTypeInput.tsx";

/** Vehicles, their capacity, fuel and billing rates. */
export const vehicles: Noun = {
  name: "transport_management/vehicles",
  path: "vehicles",
  binned: true,
  ...texts.admin.nouns.vehicles,
  audited: "vehicle",
  levels: levelsOf("vehicles"),
  ids: "vehicle_ids",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "name" },
    { source: "registration" },
    { source: "vehicle_type", sortable: false },
    { source: "capacity", kind: "size", sortable: false },
    { source: "spec_type", kind: "names", sortable: false },
    { source: "billing_rate.name", label: texts.admin.vehicles.billingRate, sortable: false },
    { source: "haulier_id", reference: "transport_management/hauliers", sortable: false, hidden: true },
  ],
  form: VehicleForm,
  defaults: () => ({ co2_per_litre: 2640 }),
  toSend: (form) => without(form, "billing_rate", "billing_rates"),
};

function VehicleForm({ mode }: { mode: FormMode }) {
  return (
    <>
      <Row>
        <TextInput source="uid" validate={[needed(texts.checks.uidRequired), notBlank, plainCharacters]} />
        <TextInput source="name" validate={notBlank} />
        <TextInput source="registration" validate={notBlank} />
      </Row>
      <Row>
        <VehicleTypeInput />
        <OneInput source="haulier_id" of="transport_management/hauliers" />
        <TextInput source="device_id" />
      </Row>
      <Row>
        <SizeInput source="capacity" limits />
        <TypesInput source="spec_type" helperText={texts.admin.shared.servedTypesHelp} />
        <NumberInput source="speed_multiplier" validate={between(0.1, 3)} />
      </Row>
      <Row>
        <ConsumptionInput source="fuel_consumption" />
        <NumberInput source="co2_per_litre" label={texts.admin.shared.co2PerLitre} validate={amount} />
      </Row>
      <OnRoadInputs />
      {mode === "edit" && <VehicleRates />}
      {mode === "edit" && <VehicleCost />}
    </>
  );
}
