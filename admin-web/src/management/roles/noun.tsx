import { refreshSession, session, texts } from "@routewright/web";
import { CloneButton, TextInput, useRecordContext, type RaRecord } from "react-admin";
import { useMay } from "../../data/organisation.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { needed, notBlank } from "../../inputs/validators.ts";
import { AccessLevelsInput } from "./AccessLevelsInput.tsx";

/** Roles: named lists of access levels. */
export const roles: Noun = {
  name: "management/roles",
  path: "roles",
  ...texts.admin.nouns.roles,
  audited: "role",
  levels: levelsOf("roles"),
  ids: "ids",
  representation: "name",
  columns: [
    { source: "name" },
    { source: "access_levels", kind: "count", sortable: false },
    { source: "built_in", kind: "yesno", sortable: false },
    { source: "organisation_id", reference: "management/organisations", sortable: false, byMaster: true },
    { source: "created", kind: "moment" },
  ],
  form: RoleForm,
  defaults: () => ({ access_levels: [], organisation_id: session().user?.organisation.id }),
  toSend: ({ name, access_levels, organisation_id }) => ({ name, access_levels, organisation_id }),
  sentWhole: true,
  fixedBecause: (role) => (isBuiltIn(role) ? texts.admin.roles.builtIn : undefined),
  editActions: <CopyRole />,
  afterSave: (role) => {
    if (role.id === session().user?.role.id) void refreshSession();
  },
};

function isBuiltIn(role: RaRecord | undefined): boolean {
  return role?.built_in === true;
}

function RoleForm() {
  const fixed = isBuiltIn(useRecordContext());
  return (
    <>
      <TextInput
        source="name"
        disabled={fixed}
        validate={[needed(texts.admin.shared.nameRequired), notBlank]}
      />
      <AccessLevelsInput source="access_levels" disabled={fixed} />
    </>
  );
}

/** Begins a new role with the levels of this one. */
function CopyRole() {
  const may = useMay("roles_write");
  const role = useRecordContext();
  if (!may || !role) return null;
  return <CloneButton label={texts.admin.roles.copy} record={{ ...role, built_in: false }} />;
}
