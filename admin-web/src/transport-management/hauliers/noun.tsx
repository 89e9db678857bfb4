import { refreshSession, texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { Row } from "../../inputs/index.ts";
import { TimezoneInput } from "../../management/organisations/TimezoneInput.tsx";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { emailAddress, internationalPhone, needed, notBlank } from "../../inputs/validators.ts";

/** Subcontracted carriers: they see the runs of their own drivers and vehicles. */
export const hauliers: Noun = {
  name: "transport_management/hauliers",
  path: "organisations/hauliers",
  ...texts.admin.nouns.hauliers,
  levels: levelsOf("hauliers"),
  ids: "ids",
  representation: "name",
  columns: [
    { source: "name" },
    { source: "email", sortable: false },
    { source: "phone_number", sortable: false },
    { source: "timezone", sortable: false },
    { source: "created", kind: "moment", hidden: true },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <TimezoneInput source="timezone" />
      </Row>
      <Row>
        <TextInput source="email" type="email" validate={emailAddress} />
        <TextInput source="phone_number" type="tel" validate={internationalPhone} />
      </Row>
    </>
  ),
  // The caller's visible organisations changed.
  afterSave: () => void refreshSession(),
};
