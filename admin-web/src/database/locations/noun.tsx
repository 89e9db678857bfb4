import { texts } from "@routewright/web";
import { SelectInput, TextInput } from "react-admin";
import { PlaceInputs, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

const KINDS = [
  { id: "depot", name: texts.admin.locations.depot },
  { id: "customer", name: texts.admin.shared.customer },
  { id: "other", name: texts.admin.locations.other },
];

/** Places the organisation knows; they come first when an address is looked up. */
export const locations: Noun = {
  name: "database/locations",
  path: "locations",
  binned: true,
  ...texts.admin.nouns.locations,
  audited: "location",
  levels: levelsOf("locations"),
  ids: "location_ids",
  representation: (record) =>
    String((record as { name?: string; address?: string }).name ?? record["address"]),
  columns: [
    { source: "uid" },
    { source: "name" },
    { source: "address" },
    { source: "kind", kind: "choice" },
    { source: "lat", kind: "number", sortable: false },
    { source: "lon", kind: "number", sortable: false },
  ],
  filters: [<SelectInput key="kind" source="kind" choices={KINDS} />],
  form: () => (
    <>
      <Row>
        <TextInput source="uid" validate={notBlank} />
        <TextInput source="name" validate={notBlank} />
        <SelectInput source="kind" choices={KINDS} validate={needed()} />
      </Row>
      <PlaceInputs />
    </>
  ),
  defaults: () => ({ kind: "other" }),
};
