import { holds, refreshSession, session, useSession, texts } from "@routewright/web";
import { BooleanInput, PasswordInput, TextInput } from "react-admin";
import { useWatch } from "react-hook-form";
import { useMay } from "../../data/organisation.ts";
import { without } from "../../data/changes.ts";
import { OneInput, Row } from "../../inputs/index.ts";
import { levelsOf, type FormMode, type Noun } from "../../data/noun.ts";
import { RestoreDeleted } from "../../resource/RestoreDeleted.tsx";
import { emailAddress, internationalPhone, needed } from "../../inputs/validators.ts";
import { FirstPassword, withFirstPassword } from "./FirstPassword.tsx";

/** Name of the built-in role of driver users, who only have a run sheet. */
const DRIVER_ROLE = "driver";

/** People who sign in. */
export const users: Noun = {
  name: "management/users",
  path: "users",
  ...texts.admin.nouns.users,
  audited: "user",
  levels: levelsOf("users"),
  ids: "ids",
  representation: "email",
  columns: [
    { source: "email" },
    { source: "first_name" },
    { source: "last_name" },
    { source: "phone_number", sortable: false },
    { source: "haulier_id", reference: "transport_management/hauliers", sortable: false, hidden: true },
    { source: "role.name", label: texts.admin.shared.role, sortBy: "role_id" },
    { source: "organisation_id", reference: "management/organisations", sortable: false, byMaster: true },
    { source: "last_login", kind: "moment" },
    { source: "created", kind: "moment", hidden: true },
    {
      source: "deleted_at",
      label: texts.admin.shared.deleted,
      kind: "moment",
      sortable: false,
      hidden: true,
    },
  ],
  filters: [
    <OneInput key="role_id" source="role_id" of="management/roles" />,
    <BooleanInput key="include_deleted" source="include_deleted" label={texts.admin.shared.withDeleted} />,
  ],
  lookup: { include_deleted: true },
  unopened: (user) => Boolean(user["deleted_at"]),
  rowActions: <RestoreDeleted of="management/users" />,
  form: UserForm,
  defaults: () => ({ organisation_id: session().user?.organisation.id }),
  toSend: (form, mode) => {
    const user = without(form, "role");
    return mode === "create" ? withFirstPassword(user) : user;
  },
  afterSave: (user) => {
    if (user.id === session().user?.id) void refreshSession();
  },
};

function UserForm({ mode }: { mode: FormMode }) {
  const choosesOrganisation = useSession((state) => holds(state.user, "organisations_read"));
  const seesHauliers = useMay("hauliers_read");
  const organisation = useWatch<{ organisation_id?: number }>({ name: "organisation_id" });
  const id = useWatch<{ id?: number }>({ name: "id" });
  const own = useSession((state) => state.user?.id) === id && mode === "edit";
  const role = useWatch<{ role?: { name?: string } }>({ name: "role" }) as { name?: string } | undefined;
  return (
    <>
      <Row>
        <TextInput source="first_name" validate={needed(texts.settings.firstNameRequired)} />
        <TextInput source="last_name" validate={needed(texts.settings.lastNameRequired)} />
      </Row>
      <Row>
        <TextInput
          source="email"
          type="email"
          autoComplete="off"
          disabled={own}
          helperText={own ? texts.admin.users.ownHelp : undefined}
          validate={[needed(texts.session.emailRequired), emailAddress]}
        />
        <TextInput source="phone_number" type="tel" validate={internationalPhone} />
      </Row>
      <Row>
        {choosesOrganisation && (
          <OneInput
            source="organisation_id"
            of="management/organisations"
            validate={needed(texts.settings.organisationRequired)}
            disabled={mode === "edit"}
          />
        )}
        {role?.name !== DRIVER_ROLE && (
          <OneInput
            key={organisation}
            source="role_id"
            of="management/roles"
            // Driver users are made among the drivers.
            filter={{ drivers: false, ...(organisation !== undefined && { organisation_id: organisation }) }}
            validate={needed(texts.settings.roleRequired)}
          />
        )}
      </Row>
      {seesHauliers && (
        <OneInput
          source="haulier_id"
          of="transport_management/hauliers"
          helperText={texts.admin.users.haulierHelp}
        />
      )}
      {mode === "create" ? (
        <FirstPassword />
      ) : (
        !own && (
          <>
            <PasswordInput
              source="new_password"
              autoComplete="new-password"
              helperText={texts.admin.shared.passwordHelp}
            />
            <BooleanInput
              source="invite"
              label={texts.admin.users.inviteAgain}
              helperText={texts.admin.users.inviteAgainHelp}
            />
          </>
        )
      )}
    </>
  );
}
