import { personName, texts } from "@routewright/web";
import { BooleanInput, PasswordInput, TextInput } from "react-admin";
import { OneInput, Row } from "../../inputs/index.ts";
import { FirstPassword, withFirstPassword } from "../../management/users/FirstPassword.tsx";
import { levelsOf, type FormMode, type Noun } from "../../data/noun.ts";
import { RestoreDeleted } from "../../resource/RestoreDeleted.tsx";
import { emailAddress, internationalPhone, needed } from "../../inputs/validators.ts";

/** People at the wheel, who sign in to the run sheet. */
export const driverUsers: Noun = {
  name: "transport_management/driver_users",
  path: "drivers/users",
  ...texts.admin.nouns.driverUsers,
  levels: levelsOf("driver_users"),
  ids: "ids",
  representation: (record) => personName(record as { email?: string }) || `#${record.id}`,
  columns: [
    { source: "first_name" },
    { source: "last_name" },
    { source: "email" },
    { source: "phone_number", sortable: false },
    { source: "haulier_id", reference: "transport_management/hauliers", sortable: false },
    {
      source: "deleted_at",
      label: texts.admin.shared.deleted,
      kind: "moment",
      sortable: false,
      hidden: true,
    },
  ],
  filters: [
    <BooleanInput key="include_deleted" source="include_deleted" label={texts.admin.shared.withDeleted} />,
  ],
  lookup: { include_deleted: true },
  unopened: (user) => Boolean(user["deleted_at"]),
  rowActions: <RestoreDeleted of="transport_management/driver_users" />,
  form: DriverUserForm,
  toSend: (form, mode) => (mode === "create" ? withFirstPassword(form) : form),
  said: {
    createFailed: texts.admin.driverUsers.createFailed,
    updateFailed: texts.admin.driverUsers.updateFailed,
    deleteFailed: texts.admin.driverUsers.deleteFailed,
  },
};

function DriverUserForm({ mode }: { mode: FormMode }) {
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
          validate={[needed(texts.session.emailRequired), emailAddress]}
        />
        <TextInput source="phone_number" type="tel" validate={internationalPhone} />
      </Row>
      <OneInput source="haulier_id" of="transport_management/hauliers" />
      {mode === "create" ? (
        <FirstPassword />
      ) : (
        <PasswordInput
          source="new_password"
          label={texts.admin.shared.password}
          autoComplete="new-password"
          helperText={texts.admin.shared.passwordHelp}
        />
      )}
    </>
  );
}
