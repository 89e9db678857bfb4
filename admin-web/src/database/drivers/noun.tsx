import { BooleanInput, SelectInput, TextInput } from "react-admin";
import { quietApi, isEmail, isPhone, phoneProblem, texts } from "@routewright/web";
import {
  ColourInput,
  Group,
  ManyInput,
  OneInput,
  PlanningInputs,
  Row,
  WordsInput,
} from "../../inputs/index.ts";
import { type Fields, sameValue, without } from "../../data/changes.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { choices, METHOD_NAMES } from "../../resource/planning.ts";
import { RestoreDeleted } from "../../resource/RestoreDeleted.tsx";
import { needed, notBlank, plainCharacters } from "../../inputs/validators.ts";
import { DriverVariants } from "./DriverVariants.tsx";

/** Drivers: routes are planned for them. Deleting is soft, a deleted driver can be restored. */
export const drivers: Noun = {
  name: "database/drivers",
  path: "drivers",
  ...texts.admin.nouns.drivers,
  audited: "driver",
  levels: levelsOf("drivers"),
  ids: "driver_ids",
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "driver_user_id", reference: "transport_management/driver_users", sortable: false },
    { source: "email" },
    { source: "phone_number" },
    { source: "shift_start", kind: "clock" },
    { source: "shift_end", kind: "clock" },
    { source: "location.address", sortBy: "address", label: texts.admin.drivers.startLocation },
    { source: "capacity", kind: "size", sortable: false },
    { source: "spec_type", kind: "names", sortable: false },
    { source: "route_colour", kind: "colour", sortable: false, hidden: true },
    { source: "deleted_at", label: texts.admin.shared.deleted, kind: "moment" },
  ],
  filters: [
    <BooleanInput key="include_deleted" source="include_deleted" label={texts.admin.shared.withDeleted} />,
  ],
  lookup: { include_deleted: true },
  rowActions: <RestoreDeleted of="database/drivers" />,
  editActions: <RestoreDeleted of="database/drivers" />,
  form: DriverForm,
  defaults: () => ({
    shift_start: "09:00",
    shift_end: "17:00",
    lunch_duration: 0,
    capacity: "0",
    speed_multiplier: 1,
    route_end: "start",
  }),
  toEdit: (driver) => {
    const territories = ((driver as Fields)["territories"] ?? []) as { id: number }[];
    return { ...driver, territory_ids: territories.map((territory) => territory.id) };
  },
  toSend: (form) => {
    const driver = { ...without(form, "configs", "territories", "territory_ids") };
    // An empty capacity does not limit.
    if ("capacity" in driver) driver["capacity"] ||= "0";
    return driver["route_end"] === "end_location" ? driver : { ...driver, end_location: null };
  },
  alsoSave: async (id, previous, next) => {
    if (next["territory_ids"] === undefined || sameValue(previous["territory_ids"], next["territory_ids"]))
      return;
    await quietApi.PUT("/drivers/{id}/territories", {
      params: { path: { id } },
      body: { territory_ids: next["territory_ids"] as number[] },
    });
  },
};

function DriverForm({ mode }: { mode: "create" | "edit" }) {
  return (
    <>
      <Row>
        <TextInput source="uid" validate={[needed(texts.checks.uidRequired), notBlank, plainCharacters]} />
        <ColourInput source="route_colour" />
      </Row>
      <Group title={texts.admin.shared.runSheet}>
        <Row>
          <WordsInput
            source="email"
            joined
            check={(entry) => (isEmail(entry) ? undefined : texts.checks.email)}
          />
          <WordsInput
            source="phone_number"
            joined
            check={(entry) => (isPhone(entry) ? undefined : phoneProblem)}
          />
          <SelectInput source="preferred_method" choices={choices(["email", "sms"], METHOD_NAMES)} />
        </Row>
        <Row>
          <OneInput source="driver_user_id" of="transport_management/driver_users" />
          <TextInput source="device_id" />
          <OneInput source="haulier_id" of="transport_management/hauliers" />
        </Row>
      </Group>
      <PlanningInputs startSource="location" />
      {mode === "edit" && <ManyInput source="territory_ids" of="database/territories" />}
      {mode === "edit" && <DriverVariants />}
    </>
  );
}
