import { texts } from "@routewright/web";
import { SelectInput, TextInput } from "react-admin";
import { NumberInput } from "./NumberInput.tsx";
import { useWatch } from "react-hook-form";
import { ROUTE_END_CHOICES } from "../resource/planning.ts";
import { ClockInput } from "./ClockInput.tsx";
import { Group, Row } from "./layout.tsx";
import { OneInput } from "./OneInput.tsx";
import { PlaceInput } from "./PlaceInput.tsx";
import { amount, between, withinShift } from "./validators.ts";
import { SizeInput } from "./SizeInput.tsx";
import { TypesInput } from "./TypesInput.tsx";

/** Shift, break, load and route end: the planning fields that drivers, their variants and runs share. */
export function PlanningInputs({ startSource }: { startSource: "location" | "start_location" }) {
  const routeEnd = useWatch<{ route_end?: string }>({ name: "route_end" });
  return (
    <>
      <Group title={texts.admin.drivers.shiftAndBreak}>
        <Row>
          <ClockInput source="shift_start" />
          <ClockInput source="shift_end" />
        </Row>
        <Row>
          <ClockInput source="lunch_time" validate={withinShift(texts.runs.checks.breakEarliest)} />
          <ClockInput source="lunch_latest_start" validate={withinShift(texts.runs.checks.breakLatest)} />
          <NumberInput source="lunch_duration" validate={between(0, 1440)} />
        </Row>
      </Group>
      <Group title={texts.admin.drivers.route}>
        <Row>
          <PlaceInput source={startSource} label={texts.admin.drivers.startLocation} />
          <SelectInput source="route_end" choices={ROUTE_END_CHOICES} />
        </Row>
        {routeEnd === "end_location" && <PlaceInput source="end_location" />}
      </Group>
      <Group title={texts.admin.drivers.load}>
        <Row>
          <SizeInput source="capacity" limits />
          <TypesInput source="spec_type" helperText={texts.admin.shared.servedTypesHelp} />
        </Row>
        <Row>
          <OneInput source="vehicle_id" of="transport_management/vehicles" />
          <NumberInput
            source="speed_multiplier"
            validate={[amount, between(0.1, 3)]}
            helperText={texts.admin.drivers.speedHelp}
          />
          <TextInput source="alternatives_group" helperText={texts.admin.drivers.alternativesHelp} />
        </Row>
      </Group>
    </>
  );
}
