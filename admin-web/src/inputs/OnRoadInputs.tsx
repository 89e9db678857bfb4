import { texts } from "@routewright/web";
import { SelectInput } from "react-admin";
import { Group, Row } from "./layout.tsx";
import { NumberInput } from "./NumberInput.tsx";
import { RoadProfileInput } from "./RoadProfileInput.tsx";
import { between } from "./validators.ts";

const SIZES = [
  ["height", 0.5, 6],
  ["width", 0.3, 5],
  ["length", 0.5, 40],
  ["weight", 0.01, 150],
] as const;

/** What a vehicle is on the road and how it differs from others of its kind; `of` names the object that the fields are in. */
export function OnRoadInputs({ of }: { of?: string }) {
  const source = (field: string) => (of === undefined ? field : `${of}.${field}`);
  const { fields, choices, vehicles } = texts.admin;
  return (
    <Group title={vehicles.roadProfile} note={vehicles.ofKind}>
      <Row>
        <RoadProfileInput source={source("road_profile")} label={vehicles.kind} />
        <SelectInput
          source={source("hazardous_goods")}
          label={fields.hazardous_goods}
          choices={[
            { id: true, name: texts.common.yes },
            { id: false, name: texts.common.no },
          ]}
          emptyText={vehicles.asUsual}
        />
        <SelectInput
          source={source("tolls")}
          label={fields.tolls}
          choices={(["avoid", "accept"] as const).map((id) => ({ id, name: choices[id] }))}
          emptyText={vehicles.asUsual}
        />
      </Row>
      <Row>
        {SIZES.map(([field, least, most]) => (
          <NumberInput
            key={field}
            source={source(field)}
            label={fields[field]}
            validate={between(least, most)}
            {...(field === "weight" && { helperText: vehicles.loaded })}
          />
        ))}
      </Row>
    </Group>
  );
}
