import { texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { without } from "../../data/changes.ts";
import { type FormMode, levelsOf, type Noun } from "../../data/noun.ts";
import { OneInput, Row } from "../../inputs/index.ts";
import { needed, notBlank } from "../../inputs/validators.ts";
import { DeviceKey } from "./DeviceKey.tsx";

/** Phones' apps and trackers in vehicles that tell where they are. */
export const trackingDevices: Noun = {
  name: "transport_management/tracking_devices",
  path: "tracking_devices",
  ...texts.admin.nouns.trackingDevices,
  audited: "tracking_device",
  levels: levelsOf("vehicles"),
  representation: "uid",
  columns: [
    { source: "uid" },
    { source: "driver_id", reference: "database/drivers", sortable: false },
    { source: "vehicle_id", reference: "transport_management/vehicles", sortable: false },
    { source: "key_made_at", label: texts.admin.trackingDevices.keyMadeAt, kind: "moment" },
    { source: "last_seen_at", label: texts.admin.trackingDevices.lastSeen, kind: "moment" },
    { source: "battery", label: texts.admin.trackingDevices.battery, kind: "number", sortable: false },
  ],
  form: DeviceForm,
  toSend: (form) => without(form, "key_made_at", "last_seen_at", "battery"),
};

function DeviceForm({ mode }: { mode: FormMode }) {
  const { uidHelp, driverHelp, vehicleHelp } = texts.admin.trackingDevices;
  return (
    <>
      <Row>
        <TextInput
          source="uid"
          validate={[needed(texts.checks.uidRequired), notBlank]}
          helperText={uidHelp}
        />
        <OneInput source="driver_id" of="database/drivers" helperText={driverHelp} />
        <OneInput source="vehicle_id" of="transport_management/vehicles" helperText={vehicleHelp} />
      </Row>
      {mode === "edit" && <DeviceKey />}
    </>
  );
}
