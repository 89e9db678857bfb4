import { Title } from "react-admin";
import { BooleanInput, SelectInput, TextInput } from "react-admin";
import { CONSUMPTION_LABELS, isEmail, texts } from "@routewright/web";
import { CheckboxGroupInput, SelectArrayInput } from "react-admin";
import { NumberInput, ColourInput, LogoInput, Row, WordsInput } from "../inputs/index.ts";
import { choices, METHOD_NAMES } from "../resource/planning.ts";
import { aboveZero, amount, between, loosePhone, needed } from "../inputs/validators.ts";
import { ProofDemands } from "./ProofDemands.tsx";
import { SettingsForm } from "./SettingsForm.tsx";
import { informationGroup, organisationSettings, passwordPolicy } from "./store.ts";

const emails = (entry: string) => (isEmail(entry) ? undefined : texts.checks.email);

/** What the optimiser aims at and how long it may think. */
export function OptimisationSettings() {
  return (
    <>
      <Title title={texts.admin.settings.optimisationSettings} />
      <SettingsForm store={organisationSettings}>
        <Row>
          <SelectInput
            source="optimisation.objective"
            label={texts.admin.settings.objective}
            choices={choices(["fewest_runs", "shortest_time", "shortest_distance", "balanced"])}
          />
          <NumberInput
            source="optimisation.max_seconds"
            label={texts.admin.settings.maxSeconds}
            validate={between(1, 600)}
          />
          <NumberInput
            source="job_duration"
            label={texts.admin.settings.jobDuration}
            validate={[needed(), aboveZero]}
          />
        </Row>
        <Row>
          <SelectInput
            source="optimisation.capacity_mode"
            label={texts.admin.settings.capacityMode}
            choices={choices(["sum", "on_board"], {
              sum: texts.admin.settings.capacitySum,
              on_board: texts.admin.settings.capacityOnBoard,
            })}
          />
          <NumberInput
            source="optimisation.default_speed_multiplier"
            label={texts.admin.settings.speedMultiplier}
            validate={between(0.1, 3)}
          />
          <NumberInput
            source="optimisation.priority_weight"
            label={texts.admin.settings.priorityWeight}
            validate={between(1, 1000)}
          />
        </Row>
        <Row>
          <NumberInput
            source="optimisation.polling_threshold"
            label={texts.admin.settings.pollingThreshold}
            validate={amount}
          />
          <SelectInput
            source="optimisation.depart"
            label={texts.admin.settings.depart}
            choices={choices(["as_late_as_free", "shift_start"], {
              as_late_as_free: texts.admin.settings.departAsLate,
              shift_start: texts.admin.settings.departShiftStart,
            })}
          />
          <BooleanInput
            source="optimisation.zero_capacity_is_unlimited"
            label={texts.admin.settings.zeroCapacity}
          />
        </Row>
      </SettingsForm>
    </>
  );
}

/** Units in which the organisation enters and reads, and its currency. */
export function UnitsAndMeasurement() {
  return (
    <>
      <Title title={texts.admin.settings.unitsAndMeasurement} />
      <SettingsForm store={organisationSettings}>
        <Row>
          <SelectInput source="distance_unit" choices={choices(["km", "mi"])} validate={needed()} />
          <SelectInput source="weight_unit" choices={choices(["kg", "lb"])} validate={needed()} />
        </Row>
        <Row>
          <SelectInput
            source="fuel_consumption_unit"
            choices={choices(["l_per_100_km", "mpg_uk", "mpg_us"], CONSUMPTION_LABELS)}
            validate={needed()}
          />
          <TextInput source="currency" helperText={texts.admin.settings.currencyHelp} />
        </Row>
      </SettingsForm>
    </>
  );
}

/** Rules for passwords and for wrong ones. */
export function PasswordPolicyPage() {
  return (
    <>
      <Title title={texts.admin.settings.passwordPolicy} />
      <SettingsForm store={passwordPolicy} level="password_policy_write">
        <Row>
          <NumberInput
            source="min_length"
            label={texts.admin.settings.minLength}
            validate={[needed(), between(8, 128)]}
          />
          <NumberInput source="history" label={texts.admin.settings.history} validate={between(0, 50)} />
          <NumberInput
            source="max_age_days"
            label={texts.admin.settings.maxAge}
            validate={aboveZero}
            helperText={texts.admin.settings.maxAgeHelp}
          />
        </Row>
        <Row>
          <BooleanInput source="require_uppercase" label={texts.admin.settings.upperCase} />
          <BooleanInput source="require_lowercase" label={texts.admin.settings.lowerCase} />
          <BooleanInput source="require_digit" label={texts.admin.settings.digit} />
          <BooleanInput source="require_special" label={texts.admin.settings.specialCharacter} />
        </Row>
        <Row>
          <NumberInput
            source="lockout_attempts"
            label={texts.admin.settings.lockoutAttempts}
            validate={[needed(), aboveZero]}
          />
          <NumberInput
            source="lockout_minutes"
            label={texts.admin.settings.lockoutMinutes}
            validate={[needed(), aboveZero]}
          />
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
      <Title title={texts.admin.settings.appSettings} />
      <SettingsForm store={appSettings}>
        <Row>
          <BooleanInput source="require_start_odometer" />
          <BooleanInput source="require_end_odometer" />
          <BooleanInput source="require_start_photo" />
        </Row>
        <Row>
          <BooleanInput source="allow_out_of_sequence" label={texts.admin.settings.outOfSequence} />
          <BooleanInput source="show_customer_phone" />
          <BooleanInput source="offline_allowed" label={texts.admin.settings.offline} />
        </Row>
        <Row>
          <NumberInput
            source="gps_interval_seconds"
            label={texts.admin.settings.gpsInterval}
            validate={[needed(), aboveZero]}
          />
          <TextInput source="language" />
        </Row>
        <CheckboxGroupInput
          source="required_job_fields"
          label={texts.admin.settings.requiredJobFields}
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
      <Title title={texts.admin.settings.proofSettings} />
      <SettingsForm store={podSettings}>
        <Row>
          <BooleanInput source="signature_required" />
          <BooleanInput source="signature_name_required" />
          <BooleanInput source="photo_required" />
        </Row>
        <Row>
          <BooleanInput source="reason_required_on_failure" />
          <BooleanInput source="unit_scan_required" />
          <BooleanInput source="customer_download" label={texts.admin.settings.customerDownload} />
        </Row>
        <Row>
          <NumberInput
            source="max_photos"
            label={texts.admin.settings.mostPhotos}
            validate={[needed(), between(0, 20)]}
          />
          <TextInput source="footer_text" multiline label={texts.admin.settings.footerText} />
        </Row>
        <LogoInput source="logo_file_id" label={texts.admin.settings.proofLogo} />
        <ProofDemands />
        <NumberInput
          source="files_kept_days"
          label={texts.admin.settings.filesKeptDays}
          helperText={texts.admin.settings.filesKeptDaysHelp}
          validate={between(1, 36500)}
        />
      </SettingsForm>
    </>
  );
}

const notifications = informationGroup("notification_settings");

/** Who hears of late deliveries and other events. */
export function EtaAlertConfiguration() {
  return (
    <>
      <Title title={texts.admin.settings.etaAlertConfiguration} />
      <SettingsForm store={notifications}>
        <Row>
          <BooleanInput source="eta_alert.enabled" label={texts.admin.settings.etaAlert} />
          <BooleanInput source="eta_alert.notify_customer" label={texts.admin.settings.notifyCustomer} />
        </Row>
        <Row>
          <NumberInput
            source="eta_alert.threshold_minutes"
            label={texts.admin.settings.etaThreshold}
            validate={[needed(), aboveZero]}
          />
          <NumberInput
            source="eta_alert.repeat_minutes"
            label={texts.admin.settings.etaRepeat}
            validate={amount}
          />
        </Row>
        <WordsInput source="eta_alert.recipients" label={texts.admin.settings.recipients} check={emails} />
        <Row>
          <BooleanInput source="on_dispatch" label={texts.admin.settings.onDispatch} />
          <BooleanInput source="on_start" label={texts.admin.settings.onStart} />
          <BooleanInput source="on_next_stop" label={texts.admin.settings.onNextStop} />
          <BooleanInput source="on_delivered" label={texts.admin.settings.onDelivered} />
          <BooleanInput source="on_failed" label={texts.admin.settings.onFailed} />
        </Row>
        <Row>
          <BooleanInput source="by_email" label={texts.admin.settings.byEmail} />
          <BooleanInput
            source="by_sms"
            label={texts.admin.settings.bySms}
            helperText={texts.admin.settings.bySmsHelp}
          />
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
      <Title title={texts.admin.settings.deliveryAndTracking} />
      <SettingsForm store={organisationSettings} title={texts.admin.settings.dispatchMethod}>
        <SelectInput
          source="dispatch_method"
          choices={choices(["email", "sms"], METHOD_NAMES)}
          validate={needed()}
        />
      </SettingsForm>
      <SettingsForm store={dispatch} title={texts.admin.settings.runSheets}>
        <Row>
          <TextInput source="email_subject" helperText={texts.admin.settings.subjectHelp} />
          <NumberInput
            source="link_valid_hours"
            label={texts.admin.settings.linkHours}
            validate={[needed(), aboveZero]}
          />
        </Row>
        <TextInput source="email_text" multiline minRows={2} />
        <TextInput source="sms_text" multiline />
        <Row>
          <BooleanInput source="attach_pdf" label={texts.admin.settings.attachPdf} />
          <BooleanInput source="auto_set_tracking_stage" label={texts.admin.settings.autoTracking} />
        </Row>
        <WordsInput source="copy_to" label={texts.admin.settings.copiesTo} check={emails} />
      </SettingsForm>
      <SettingsForm store={tracking} title={texts.admin.settings.trackingPage}>
        <Row>
          <BooleanInput source="enabled" label={texts.admin.settings.trackingEnabled} />
          <BooleanInput source="show_driver_name" />
          <BooleanInput source="show_vehicle_position" />
        </Row>
        <Row>
          <BooleanInput source="show_stops_before" />
          <BooleanInput source="show_eta_range" label={texts.admin.settings.showEtaRange} />
          <BooleanInput source="allow_instructions" label={texts.admin.settings.allowInstructions} />
          <NumberInput
            source="position_visible_minutes"
            label={texts.admin.settings.positionMinutes}
            validate={amount}
          />
          <NumberInput
            source="link_valid_days"
            label={texts.admin.settings.linkDays}
            validate={[needed(), aboveZero]}
          />
        </Row>
        <Row>
          <TextInput source="contact_phone" type="tel" validate={loosePhone} />
          <TextInput source="contact_email" type="email" />
          <ColourInput source="primary_colour" />
        </Row>
        <LogoInput source="logo_file_id" label={texts.admin.settings.trackingLogo} />
        <TextInput source="email_subject" />
        <TextInput source="email_text" multiline minRows={2} />
      </SettingsForm>
      <SettingsForm store={reschedule} title={texts.admin.settings.reschedule}>
        <Row>
          <BooleanInput source="enabled" label={texts.admin.settings.rescheduleEnabled} />
          <BooleanInput source="allow_note" />
          <BooleanInput source="allow_safe_drop" label={texts.admin.settings.safeDrop} />
        </Row>
        <Row>
          <NumberInput source="min_notice_hours" label={texts.admin.settings.minNotice} validate={amount} />
          <NumberInput
            source="max_days_ahead"
            label={texts.admin.settings.maxDaysAhead}
            validate={aboveZero}
          />
          <SelectArrayInput source="allowed_days" choices={DAYS} />
        </Row>
        <Row>
          <NumberInput
            source="max_extra_minutes"
            label={texts.admin.settings.maxExtra}
            helperText={texts.admin.settings.maxExtraHelp}
            validate={[needed(), amount].flat()}
          />
          <BooleanInput
            source="auto_accept"
            label={texts.admin.settings.autoAccept}
            helperText={texts.admin.settings.autoAcceptHelp}
          />
        </Row>
      </SettingsForm>
    </>
  );
}
