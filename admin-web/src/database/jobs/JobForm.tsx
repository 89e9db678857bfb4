import { isEmail, texts } from "@routewright/web";
import { BooleanInput, TextInput } from "react-admin";
import {
  NumberInput,
  ClockInput,
  ColourInput,
  ExtraFieldsInput,
  Group,
  OneInput,
  PlaceInput,
  Row,
  SizeInput,
  TypesInput,
  WordsInput,
} from "../../inputs/index.ts";
import {
  aboveZero,
  afterArriveAfter,
  beforeLeaveBy,
  internationalPhone,
  needed,
  notBlank,
  plainCharacters,
} from "../../inputs/validators.ts";

/** All fields of a job that a person may set. */
export function JobForm({ mode }: { mode: "create" | "edit" }) {
  return (
    <>
      <Row>
        <TextInput source="uid" validate={[needed(texts.checks.uidRequired), notBlank, plainCharacters]} />
        <OneInput
          source="scenario_id"
          of="database/scenarios"
          disabled={mode === "edit"}
          helperText={texts.admin.jobs.scenarioHelp}
        />
      </Row>
      <Group title={texts.admin.shared.customer}>
        <Row>
          <TextInput source="customer_name" validate={[needed(), notBlank]} />
          <OneInput source="client_id" of="database/clients" />
        </Row>
        <PlaceInput source="location" label={texts.admin.shared.address} validate={needed()} />
        <Row>
          <WordsInput
            source="customer_email"
            joined
            validate={needed()}
            check={(entry) => (isEmail(entry) ? undefined : texts.checks.email)}
          />
          <TextInput source="phone_number" type="tel" validate={[needed(), internationalPhone]} />
        </Row>
      </Group>
      <Group title={texts.admin.jobs.constraints}>
        <Row>
          <ClockInput source="arrive_after" stepMinutes={15} validate={beforeLeaveBy} />
          <ClockInput source="leave_by" stepMinutes={15} validate={afterArriveAfter} />
          <NumberInput source="duration" validate={[needed(), aboveZero]} />
        </Row>
        <Row>
          <SizeInput source="size" validate={needed()} />
          <TypesInput source="spec_type" validate={needed()} helperText={texts.admin.shared.typesHelp} />
          <ColourInput source="colour" />
        </Row>
        <Row>
          <WordsInput source="pickup_from" joined helperText={texts.admin.jobs.linksHelp} />
          <WordsInput source="deliver_to" joined helperText={texts.admin.jobs.linksHelp} />
        </Row>
        <Row>
          <BooleanInput source="priority" />
          <BooleanInput source="idm" />
        </Row>
      </Group>
      <Group title={texts.admin.jobs.notes}>
        <TextInput source="comments" label={texts.admin.jobs.deliveryInstructions} multiline minRows={2} />
        <Row>
          <TextInput source="invoice" />
          <TextInput source="reference" />
          <TextInput source="dock_location" />
        </Row>
        <Row>
          <TextInput source="consignee_info" multiline />
          <TextInput source="consignor_info" multiline />
          <TextInput source="external_comments" multiline />
        </Row>
        <ExtraFieldsInput source="extra_fields" />
      </Group>
    </>
  );
}
