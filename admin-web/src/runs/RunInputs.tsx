import { isEmail, texts } from "@routewright/web";
import { NumberInput, SelectInput, TextInput, useRecordContext } from "react-admin";
import type { Run } from "@routewright/web/model";
import { Fact, Facts } from "../resource/Facts.tsx";
import { useMay, useTimezone } from "../data/organisation.ts";
import {
  ColourInput,
  DistanceInput,
  Group,
  MomentInput,
  OneInput,
  Row,
  WordsInput,
} from "../inputs/index.ts";
import { choices, METHOD_NAMES } from "../resource/planning.ts";
import {
  aNumber,
  endOdometer,
  internationalPhone,
  momentAfter,
  momentBefore,
  startOdometer,
} from "../validators.ts";
import { momentText } from "@routewright/web";
import { useSmsEnabled } from "./useSmsEnabled.ts";

/** To whom and how the run sheet is sent, and the planned times. */
export function RunSheetInputs() {
  const smsEnabled = useSmsEnabled();
  return (
    <>
      <Group title="Planned times">
        <Row>
          <MomentInput
            source="planned_start_time"
            validate={momentBefore(
              "planned_end_time",
              "Planned start time should be before planned end time",
            )}
          />
          <MomentInput
            source="planned_end_time"
            validate={momentAfter(
              "planned_start_time",
              "Planned end time should be after planned start time",
            )}
          />
          <ColourInput source="route_colour" />
        </Row>
      </Group>
      <Group title="Run sheet">
        <Row>
          <WordsInput
            source="email"
            joined
            check={(entry) => (isEmail(entry) ? undefined : texts.checks.email)}
          />
          <TextInput source="phone_number" type="tel" validate={internationalPhone} />
          <SelectInput
            source="preferred_method"
            choices={choices(["email", "sms", "qr_code"], METHOD_NAMES).map((choice) => ({
              ...choice,
              disabled: choice.id === "sms" && !smsEnabled,
            }))}
            helperText={smsEnabled ? undefined : "SMS configuration is disabled in Organisation Settings."}
          />
        </Row>
      </Group>
    </>
  );
}

/** What was driven. */
export function ActualsInputs() {
  return (
    <>
      <Row>
        <MomentInput
          source="actual_start_time"
          validate={momentBefore("actual_end_time", "Actual start time should be before actual end time")}
        />
        <MomentInput
          source="actual_end_time"
          validate={momentAfter("actual_start_time", "Actual end time should be after actual start time")}
        />
        <MomentInput source="billing_start_time" />
      </Row>
      <Row>
        <DistanceInput source="start_odometer" validate={startOdometer} />
        <DistanceInput source="end_odometer" validate={endOdometer} />
        <DistanceInput
          source="additional_billing_kms"
          label="Additional billing distance"
          validate={aNumber}
        />
      </Row>
      <Row>
        <OneInput source="vehicle_id" of="transport_management/vehicles" />
        <OneInput source="driver_user_id" of="transport_management/driver_users" />
        <TextInput source="device_id" />
      </Row>
    </>
  );
}

/** What the run costs. */
export function BillingInputs() {
  const run = useRecordContext<Run>();
  const zone = useTimezone();
  const seesUsers = useMay("users_read");
  const mayRevalidate = useMay("billing_rates_write");
  if (!run) return null;
  return (
    <>
      <Facts>
        <Fact name="Billing distance" value={numberText(run.billing_km, "km")} />
        <Fact name="Billing time" value={numberText(run.billing_time, "h")} />
        <Fact name="Vehicle billing rate" value={run.vehicle_billing_rate} />
        <Fact name="Estimated cost" value={numberText(run.estimated_cost, "")} />
        <Fact name="Validated at" value={run.validated_at ? momentText(run.validated_at, zone) : null} />
      </Facts>
      <Row>
        <OneInput source="billing_rate_id" of="costing_management/billing_rates" />
        <NumberInput
          source="min_billing_hours"
          label="Minimum number of hours"
          validate={aNumber}
          step="any"
        />
        {seesUsers && <OneInput source="validated_by_id" of="management/users" disabled={!mayRevalidate} />}
      </Row>
    </>
  );
}

function numberText(value: number | string | null | undefined, unit: string): string | null {
  return value === null || value === undefined ? null : `${Number(value).toFixed(2)} ${unit}`.trim();
}
