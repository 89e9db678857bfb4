import { refreshSession, session, texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";
import { AccessLevelsInput } from "./AccessLevelsInput.tsx";

/** Roles: named lists of access levels. */
export const roles: Noun = {
  name: "management/roles",
  path: "roles",
  ...texts.admin.nouns.roles,
  levels: levelsOf("roles"),
  ids: "ids",
  representation: "name",
  columns: [
    { source: "name" },
    { source: "access_levels", kind: "count", sortable: false },
    { source: "organisation_id", reference: "management/organisations", sortable: false, byMaster: true },
    { source: "created", kind: "moment" },
  ],
  form: RoleForm,
  defaults: () => ({ access_levels: [], organisation_id: session().user?.organisation.id }),
  toSend: ({ name, access_levels, organisation_id }) => ({ name, access_levels, organisation_id }),
  afterSave: (role) => {
    if (role.id === session().user?.role.id) void refreshSession();
  },
};

function RoleForm() {
  return (
    <>
      <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
      <AccessLevelsInput source="access_levels" />
    </>
  );
}
