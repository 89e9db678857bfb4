import { Title } from "react-admin";
import { BooleanInput, NumberInput, SelectInput, TextInput } from "react-admin";
import { CONSUMPTION_LABELS, isEmail, texts } from "@routewright/web";
import { CheckboxGroupInput, SelectArrayInput } from "react-admin";
import { ColourInput, LogoInput, Row, WordsInput } from "../inputs/index.ts";
import { choices, METHOD_NAMES } from "../resource/planning.ts";
import { aboveZero, amount, between, needed } from "../validators.ts";
import { SettingsForm } from "./SettingsForm.tsx";
import { informationGroup, organisationSettings, passwordPolicy } from "./store.ts";

const emails = (entry: string) => (isEmail(entry) ? undefined : texts.checks.email);

/** What the optimiser aims at and how long it may think. */
export function OptimisationSettings() {
  return (
    <>
      <Title title="Optimisation settings" />
      <SettingsForm store={organisationSettings}>
        <Row>
          <SelectInput
            source="optimisation.objective"
            label="Objective"
            choices={choices(["fewest_runs", "shortest_time", "shortest_distance", "balanced"])}
          />
          <NumberInput
            source="optimisation.max_seconds"
            label="Longest calculation (s)"
            validate={between(1, 600)}
          />
          <NumberInput
            source="job_duration"
            label="Duration of a new job (min)"
            validate={[needed(), aboveZero]}
          />
        </Row>
        <Row>
          <SelectInput
            source="optimisation.capacity_mode"
            label="Capacity counts"
            choices={choices(["sum", "on_board"], {
              sum: "All jobs of the run",
              on_board: "What is on board at once",
            })}
          />
          <NumberInput
            source="optimisation.default_speed_multiplier"
            label="Speed multiplier of new drivers"
            validate={between(0.1, 3)}
            step={0.05}
          />
          <NumberInput
            source="optimisation.priority_weight"
            label="Weight of priority jobs"
            validate={between(1, 1000)}
          />
        </Row>
        <Row>
          <NumberInput
            source="optimisation.polling_threshold"
            label="Jobs plus drivers from which it runs in the background"
            validate={amount}
          />
          <BooleanInput source="optimisation.zero_capacity_is_unlimited" label="Capacity 0 is not limited" />
        </Row>
      </SettingsForm>
    </>
  );
}

/** Units in which the organisation enters and reads, and its currency. */
export function UnitsAndMeasurement() {
  return (
    <>
      <Title title="Units and measurement" />
      <SettingsForm store={organisationSettings}>
        <Row>
          <SelectInput
            source="distance_unit"
            choices={choices(["km", "mi"], { km: "Kilometres", mi: "Miles" })}
            validate={needed()}
          />
          <SelectInput
            source="weight_unit"
            choices={choices(["kg", "lb"], { kg: "Kilograms", lb: "Pounds" })}
            validate={needed()}
          />
        </Row>
        <Row>
          <SelectInput
            source="fuel_consumption_unit"
            choices={choices(["l_per_100_km", "mpg_uk", "mpg_us"], CONSUMPTION_LABELS)}
            validate={needed()}
          />
          <TextInput source="currency" helperText="ISO code such as AUD" />
        </Row>
      </SettingsForm>
    </>
  );
}

/** Rules for passwords and for wrong ones. */
export function PasswordPolicyPage() {
  return (
    <>
      <Title title="Password policy" />
      <SettingsForm store={passwordPolicy} level="password_policy_write">
        <Row>
          <NumberInput source="min_length" label="Least length" validate={[needed(), between(1, 128)]} />
          <NumberInput
            source="history"
            label="Passwords that may not be repeated"
            validate={between(0, 50)}
          />
          <NumberInput
            source="max_age_days"
            label="Longest age (days)"
            validate={aboveZero}
            helperText="Left empty, passwords do not expire."
          />
        </Row>
        <Row>
          <BooleanInput source="require_uppercase" label="An upper-case letter" />
          <BooleanInput source="require_lowercase" label="A lower-case letter" />
          <BooleanInput source="require_digit" label="A digit" />
          <BooleanInput source="require_special" label="A special character" />
        </Row>
        <Row>
          <NumberInput
            source="lockout_attempts"
            label="Wrong attempts before a lock"
            validate={[needed(), aboveZero]}
          />
          <NumberInput source="lockout_minutes" label="Minutes locked" validate={[needed(), aboveZero]} />
        </Row>
      </SettingsForm>
    </>
  );
}

const REQUIRED_FIELDS = choices([
  "uid",
  "location",
  "customer_name",
  "customer_email",
  "spec_type",
  "phone_number",
  "size",
]);
const appSettings = informationGroup("app_settings");

/** What drivers must and may do on their phones. */
export function AppSettingsPage() {
  return (
    <>
      <Title title="App settings" />
      <SettingsForm store={appSettings}>
        <Row>
          <BooleanInput source="require_start_odometer" />
          <BooleanInput source="require_end_odometer" />
          <BooleanInput source="require_start_photo" />
        </Row>
        <Row>
          <BooleanInput source="allow_out_of_sequence" label="Jobs may be done out of sequence" />
          <BooleanInput source="show_customer_phone" />
          <BooleanInput source="offline_allowed" label="May work offline" />
        </Row>
        <Row>
          <NumberInput
            source="gps_interval_seconds"
            label="GPS interval (s)"
            validate={[needed(), aboveZero]}
          />
          <TextInput source="language" />
        </Row>
        <CheckboxGroupInput
          source="required_job_fields"
          label="Fields a job must have in the form"
          choices={REQUIRED_FIELDS}
        />
      </SettingsForm>
    </>
  );
}

const podSettings = informationGroup("pod_settings");

/** What a proof of delivery needs. */
export function ProofSettings() {
  return (
    <>
      <Title title="Proof settings" />
      <SettingsForm store={podSettings}>
        <Row>
          <BooleanInput source="signature_required" />
          <BooleanInput source="signature_name_required" />
          <BooleanInput source="photo_required" />
        </Row>
        <Row>
          <BooleanInput source="reason_required_on_failure" />
          <BooleanInput source="unit_scan_required" />
          <BooleanInput source="customer_download" label="Customers may download the proof" />
        </Row>
        <Row>
          <NumberInput source="max_photos" label="Most photos" validate={[needed(), between(0, 20)]} />
          <TextInput source="footer_text" multiline label="Text under the proof" />
        </Row>
        <LogoInput source="logo_file_id" label="Logo on the proof" />
      </SettingsForm>
    </>
  );
}

const notifications = informationGroup("notification_settings");

/** Who hears of late deliveries and other events. */
export function EtaAlertConfiguration() {
  return (
    <>
      <Title title="ETA alert configuration" />
      <SettingsForm store={notifications}>
        <Row>
          <BooleanInput source="eta_alert.enabled" label="Alert when a delivery is late" />
          <BooleanInput source="eta_alert.notify_customer" label="Tell the customer too" />
        </Row>
        <Row>
          <NumberInput
            source="eta_alert.threshold_minutes"
            label="Late from (min)"
            validate={[needed(), aboveZero]}
          />
          <NumberInput source="eta_alert.repeat_minutes" label="Repeat after (min)" validate={amount} />
        </Row>
        <WordsInput source="eta_alert.recipients" label="Recipients" check={emails} />
        <Row>
          <BooleanInput source="on_dispatch" label="Mail customers on dispatch" />
          <BooleanInput source="on_next_stop" label="… when they are next" />
          <BooleanInput source="on_delivered" label="… when delivered" />
          <BooleanInput source="on_failed" label="… when delivery failed" />
        </Row>
        <Row>
          <TextInput source="sender_name" />
          <TextInput source="reply_to" type="email" />
        </Row>
      </SettingsForm>
    </>
  );
}

const reschedule = informationGroup("reschedule_settings");
const tracking = informationGroup("delivery_tracking_settings");
const dispatch = informationGroup("dispatch_settings");
const DAYS = choices(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);

/** Dispatch of run sheets, the customers' tracking page, and asking for another day. */
export function DeliveryAndTracking() {
  return (
    <>
      <Title title="Delivery and tracking" />
      <SettingsForm store={organisationSettings} title="Dispatch method">
        <SelectInput
          source="dispatch_method"
          choices={choices(["email", "sms"], METHOD_NAMES)}
          validate={needed()}
        />
      </SettingsForm>
      <SettingsForm store={dispatch} title="Run sheets">
        <Row>
          <TextInput source="email_subject" helperText="{run} and {date} are filled in." />
          <NumberInput source="link_valid_hours" label="Link valid (h)" validate={[needed(), aboveZero]} />
        </Row>
        <TextInput source="email_text" multiline minRows={2} />
        <TextInput source="sms_text" multiline />
        <Row>
          <BooleanInput source="attach_pdf" label="Attach the run sheet as PDF" />
          <BooleanInput source="auto_set_tracking_stage" label="Set the scenario to tracking" />
        </Row>
        <WordsInput source="copy_to" label="Copies to" check={emails} />
      </SettingsForm>
      <SettingsForm store={tracking} title="Tracking page">
        <Row>
          <BooleanInput source="enabled" label="Customers can follow their delivery" />
          <BooleanInput source="show_driver_name" />
          <BooleanInput source="show_vehicle_position" />
        </Row>
        <Row>
          <BooleanInput source="show_stops_before" />
          <BooleanInput source="show_eta_range" label="Show ETA range" />
          <NumberInput
            source="position_visible_minutes"
            label="Position visible before ETA (min)"
            validate={amount}
          />
          <NumberInput source="link_valid_days" label="Link valid (days)" validate={[needed(), aboveZero]} />
        </Row>
        <Row>
          <TextInput source="contact_phone" type="tel" />
          <TextInput source="contact_email" type="email" />
          <ColourInput source="primary_colour" />
        </Row>
        <LogoInput source="logo_file_id" label="Logo on the tracking page" />
        <TextInput source="email_subject" />
        <TextInput source="email_text" multiline minRows={2} />
      </SettingsForm>
      <SettingsForm store={reschedule} title="Another day">
        <Row>
          <BooleanInput source="enabled" label="Customers may ask for another day" />
          <BooleanInput source="allow_note" />
          <BooleanInput source="allow_safe_drop" />
        </Row>
        <Row>
          <NumberInput source="min_notice_hours" label="Least notice (h)" validate={amount} />
          <NumberInput source="max_days_ahead" label="Most days ahead" validate={aboveZero} />
          <SelectArrayInput source="allowed_days" choices={DAYS} />
        </Row>
      </SettingsForm>
    </>
  );
}
