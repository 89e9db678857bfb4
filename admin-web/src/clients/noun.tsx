import { TextInput } from "react-admin";
import { ClockInput, ColourInput, ExtraFieldsInput, PlaceInput, Row, WordsInput } from "../inputs/index.ts";
import { isEmail, texts } from "@routewright/web";
import { levelsOf, type Noun } from "../resource/noun.ts";
import {
  afterArriveAfter,
  beforeLeaveBy,
  internationalPhone,
  needed,
  notBlank,
  plainCharacters,
} from "../validators.ts";

/** Customers whose data prefill jobs. */
export const clients: Noun = {
  name: "database/clients",
  path: "clients",
  singular: "Client",
  plural: "Clients",
  levels: levelsOf("clients"),
  ids: "client_ids",
  representation: "name",
  columns: [
    { source: "uid" },
    { source: "name" },
    { source: "location.address" },
    { source: "customer_email", sortable: false },
    { source: "phone_number", sortable: false },
    { source: "arrive_after", kind: "clock", sortable: false },
    { source: "leave_by", kind: "clock", sortable: false },
    { source: "created", kind: "moment", sortable: false, hidden: true },
  ],
  form: ClientForm,
  defaults: () => ({ extra_fields: {} }),
};

function ClientForm() {
  return (
    <>
      <Row>
        <TextInput source="uid" validate={[needed("UID is required"), notBlank, plainCharacters]} />
        <TextInput source="name" validate={[needed("Name is required"), notBlank]} />
      </Row>
      <PlaceInput source="location" label="Address" />
      <Row>
        <WordsInput
          source="customer_email"
          joined
          check={(entry) => (isEmail(entry) ? undefined : texts.checks.email)}
        />
        <TextInput source="phone_number" type="tel" validate={internationalPhone} />
      </Row>
      <Row>
        <ClockInput source="arrive_after" stepMinutes={15} validate={beforeLeaveBy} />
        <ClockInput source="leave_by" stepMinutes={15} validate={afterArriveAfter} />
        <ColourInput source="colour" />
      </Row>
      <Row>
        <WordsInput source="spec_type" joined helperText="Types a run must serve" />
        <TextInput source="dock_location" />
      </Row>
      <TextInput source="delivery_instructions" multiline minRows={2} />
      <Row>
        <TextInput source="external_comments" multiline minRows={2} />
        <TextInput source="consignee_info" multiline minRows={2} />
      </Row>
      <ExtraFieldsInput source="extra_fields" />
    </>
  );
}
