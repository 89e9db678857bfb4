import { TextInput } from "react-admin";
import {
  ClockInput,
  ColourInput,
  ExtraFieldsInput,
  PlaceInput,
  Row,
  TypesInput,
  WordsInput,
} from "../../inputs/index.ts";
import { isEmail, texts } from "@routewright/web";
import { levelsOf, type Noun } from "../../data/noun.ts";
import {
  afterArriveAfter,
  beforeLeaveBy,
  internationalPhone,
  needed,
  notBlank,
  plainCharacters,
} from "../../inputs/validators.ts";

/** Customers whose data prefill jobs. */
export const clients: Noun = {
  name: "database/clients",
  path: "clients",
  binned: true,
  ...texts.admin.nouns.clients,
  audited: "client",
  levels: levelsOf("clients"),
  ids: "client_ids",
  representation: "name",
  columns: [
    { source: "uid" },
    { source: "name" },
    { source: "location.address", sortable: false },
    { source: "customer_email" },
    { source: "phone_number", sortable: false },
    { source: "arrive_after", kind: "clock", sortable: false },
    { source: "leave_by", kind: "clock", sortable: false },
    { source: "created", kind: "moment", hidden: true },
  ],
  form: ClientForm,
  defaults: () => ({ extra_fields: {} }),
};

function ClientForm() {
  return (
    <>
      <Row>
        <TextInput source="uid" validate={[needed(texts.checks.uidRequired), notBlank, plainCharacters]} />
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
      </Row>
      <PlaceInput source="location" label={texts.admin.shared.address} />
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
        <TypesInput source="spec_type" helperText={texts.admin.shared.typesHelp} />
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
