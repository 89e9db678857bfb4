import {
  distanceText,
  fixed,
  isEmail,
  isPhone,
  phoneProblem,
  RunBill,
  texts,
  useSession,
} from "@routewright/web";
import { SelectInput, TextInput, useRecordContext, useRefresh } from "react-admin";
import type { Run } from "@routewright/web/model";
import { Fact, Facts } from "../../ui/Facts.tsx";
import { useDistanceUnit, useMay, useTimezone } from "../../data/organisation.ts";
import {
  NumberInput,
  ColourInput,
  DistanceInput,
  Group,
  MomentInput,
  OneInput,
  Row,
  WordsInput,
} from "../../inputs/index.ts";
import { choices, METHOD_NAMES } from "../../resource/planning.ts";
import { aNumber, endOdometer, momentAfter, momentBefore, startOdometer } from "../../inputs/validators.ts";
import { momentText } from "@routewright/web";
import { useSmsEnabled } from "./useSmsEnabled.ts";

/** To whom and how the run sheet is sent, and the planned times. */
export function RunSheetInputs() {
  const smsEnabled = useSmsEnabled();
  return (
    <>
      <Group title={texts.admin.runs.plannedTimes}>
        <Row>
          <MomentInput
            source="planned_start_time"
            validate={momentBefore("planned_end_time", texts.runs.checks.plannedStart)}
          />
          <MomentInput
            source="planned_end_time"
            validate={momentAfter("planned_start_time", texts.runs.checks.plannedEnd)}
          />
          <ColourInput source="route_colour" />
        </Row>
      </Group>
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
          <SelectInput
            source="preferred_method"
            choices={choices(["email", "sms", "qr_code"], METHOD_NAMES).map((choice) => ({
              ...choice,
              disabled: choice.id === "sms" && !smsEnabled,
            }))}
            helperText={smsEnabled ? undefined : texts.runs.smsDisabled}
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
          validate={momentBefore("actual_end_time", texts.runs.checks.startBeforeEnd)}
        />
        <MomentInput
          source="actual_end_time"
          validate={momentAfter("actual_start_time", texts.runs.checks.endAfterStart)}
        />
        <MomentInput source="billing_start_time" />
      </Row>
      <Row>
        <DistanceInput source="start_odometer" validate={startOdometer} />
        <DistanceInput source="end_odometer" validate={endOdometer} />
        <DistanceInput
          source="additional_billing_kms"
          label={texts.admin.runs.additionalBillingDistance}
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
  const distanceUnit = useDistanceUnit();
  const seesUsers = useMay("users_read");
  const mayRevalidate = useMay("billing_rates_write");
  const currency = useSession((state) => state.user?.organisation.settings.currency ?? "");
  const refresh = useRefresh();
  if (!run) return null;
  return (
    <>
      <Facts>
        <Fact
          name={texts.admin.runs.billingDistance}
          value={run.billing_km === null ? null : distanceText(run.billing_km * 1000, distanceUnit)}
        />
        <Fact name={texts.admin.runs.billingTime} value={numberText(run.billing_time, "h")} />
        <Fact name={texts.runs.fields.vehicle_billing_rate} value={run.vehicle_billing_rate} />
        <Fact
          name={texts.runs.fields.estimated_cost}
          value={numberText(run.estimated_cost, run.cost_currency ?? currency)}
        />
        <Fact
          name={texts.runs.fields.validated_at}
          value={run.validated_at ? momentText(run.validated_at, zone) : null}
        />
      </Facts>
      <Row>
        <OneInput source="billing_rate_id" of="costing_management/billing_rates" />
        <NumberInput
          source="min_billing_hours"
          label={texts.runs.fields.min_billing_hours}
          validate={aNumber}
        />
        {seesUsers && <OneInput source="validated_by_id" of="management/users" disabled={!mayRevalidate} />}
      </Row>
      <RunBill runId={run.id} version={run.modified} onChanged={refresh} />
    </>
  );
}

function numberText(value: number | string | null | undefined, unit: string): string | null {
  return value === null || value === undefined ? null : `${fixed(Number(value), 2)} ${unit}`.trim();
}
