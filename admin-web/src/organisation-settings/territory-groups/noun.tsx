import { quietApi, texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { type Fields, sameValue } from "../../data/changes.ts";
import { ColourInput, ManyInput, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";
import { TerritoryMode } from "./TerritoryMode.tsx";

/** Groups of territories; a scenario is narrowed to some of them. */
export const territoryGroups: Noun = {
  name: "organisation_settings/territory_settings",
  path: "territory_groups",
  ...texts.admin.nouns.territoryGroups,
  levels: levelsOf("territories"),
  representation: "name",
  columns: [
    { source: "name" },
    { source: "territories", kind: "names", sortable: false },
    { source: "colour", kind: "colour", sortable: false },
  ],
  listActions: <TerritoryMode />,
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <ColourInput source="colour" />
      </Row>
      <ManyInput source="territory_ids" of="database/territories" />
    </>
  ),
  toEdit: (group) => {
    const members = ((group as Fields)["territories"] ?? []) as { id: number }[];
    return { ...group, territory_ids: members.map((territory) => territory.id) };
  },
  toSend: ({ name, colour }) => ({ name, colour }),
  alsoSave: async (id, previous, next) => {
    const ids = next["territory_ids"];
    if (ids === undefined || sameValue(previous["territory_ids"], ids)) return;
    await quietApi.PUT("/territory_groups/{id}/territories", {
      params: { path: { id } },
      body: { territory_ids: ids as number[] },
    });
  },
};
