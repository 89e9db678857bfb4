import { Button } from "@mui/material";
import { TextInput } from "react-admin";
import { ColourInput, ManyInput, Row } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../resource/noun.ts";
import { needed, notBlank } from "../validators.ts";

/** Territories; their shapes are drawn in the territory builder. */
export const territories: Noun = {
  name: "database/territories",
  path: "territories",
  singular: "Territory",
  plural: "Territories",
  levels: levelsOf("territories"),
  representation: "name",
  columns: [
    { source: "name" },
    { source: "uid", sortable: false },
    { source: "colour", kind: "colour", sortable: false },
    { source: "driver_ids", label: "Drivers", kind: "count", sortable: false },
  ],
  creatable: false,
  listActions: (
    <Button href="/territory-builder" size="small">
      Territory builder
    </Button>
  ),
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed("Name is required"), notBlank]} />
        <TextInput source="uid" />
        <ColourInput source="colour" />
      </Row>
      <ManyInput source="driver_ids" of="database/drivers" />
    </>
  ),
  toSend: ({ name, uid, colour, driver_ids }) => ({ name, uid, colour, driver_ids }),
};
