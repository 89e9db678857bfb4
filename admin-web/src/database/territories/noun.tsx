import { texts } from "@routewright/web";
import { Button } from "@mui/material";
import { TextInput } from "react-admin";
import { ColourInput, ManyInput, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

/** Territories; their shapes are drawn in the territory builder. */
export const territories: Noun = {
  name: "database/territories",
  path: "territories",
  binned: true,
  ...texts.admin.nouns.territories,
  levels: levelsOf("territories"),
  representation: "name",
  columns: [
    { source: "name" },
    { source: "uid" },
    { source: "colour", kind: "colour", sortable: false },
    { source: "driver_ids", label: texts.admin.shared.drivers, kind: "count", sortable: false },
  ],
  creatable: false,
  listActions: (
    <Button href="/territory-builder" size="small">
      {texts.admin.territories.territoryBuilder}
    </Button>
  ),
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <TextInput source="uid" />
        <ColourInput source="colour" />
      </Row>
      <ManyInput source="driver_ids" of="database/drivers" />
    </>
  ),
  toSend: ({ name, uid, colour, driver_ids }) => ({ name, uid, colour, driver_ids }),
};
