import { isMaster, refreshSession, useSession, texts } from "@routewright/web";
import { PasswordInput, SelectInput, TextInput } from "react-admin";
import { Group, Row } from "../../inputs/index.ts";
import { levelsOf, type FormMode, type Noun } from "../../data/noun.ts";
import { choices } from "../../resource/planning.ts";
import { emailAddress, needed } from "../../inputs/validators.ts";
import { ModulesInput } from "./ModulesInput.tsx";
import { TimezoneInput } from "./TimezoneInput.tsx";
import { WorkInOrganisation } from "./WorkInOrganisation.tsx";

/** Organisations, their modules and, on creation, their first administrator. */
export const organisations: Noun = {
  name: "management/organisations",
  path: "organisations",
  ...texts.admin.nouns.organisations,
  levels: levelsOf("organisations"),
  byMaster: true,
  ids: "ids",
  // Hauliers have a page of their own, where alone they can be changed.
  listed: { haulier: false },
  representation: "name",
  columns: [
    { source: "name" },
    { source: "timezone" },
    { source: "state" },
    { source: "modules", kind: "names", sortable: false },
    { source: "created", kind: "moment" },
  ],
  filters: [
    <SelectInput
      key="state"
      source="state"
      choices={choices(["provisioning", "ready", "failed", "deleting"])}
    />,
  ],
  form: OrganisationForm,
  defaults: () => ({ timezone: "UTC", modules: ["units", "returns"] }),
  rowActions: <WorkInOrganisation />,
  toSend: ({ name, timezone, modules, admin }, mode) => ({
    name,
    timezone,
    modules,
    ...(mode === "create" && { admin }),
  }),
  // The caller's visible organisations changed.
  afterSave: () => void refreshSession(),
};

function OrganisationForm({ mode }: { mode: FormMode }) {
  const master = useSession((state) => isMaster(state.user));
  return (
    <>
      <Row>
        <TextInput source="name" validate={needed(texts.admin.shared.nameRequired)} />
        <TimezoneInput source="timezone" validate={needed()} />
      </Row>
      <ModulesInput source="modules" />
      {mode === "create" && master && (
        <Group
          title={texts.admin.organisations.firstAdministrator}
          note={texts.admin.organisations.firstAdministratorNote}
        >
          <Row>
            <TextInput
              source="admin.first_name"
              label={texts.admin.organisations.firstName}
              validate={needed(texts.settings.firstNameRequired)}
            />
            <TextInput
              source="admin.last_name"
              label={texts.admin.organisations.lastName}
              validate={needed(texts.settings.lastNameRequired)}
            />
          </Row>
          <Row>
            <TextInput
              source="admin.email"
              label={texts.admin.shared.email}
              type="email"
              validate={[needed(texts.session.emailRequired), emailAddress]}
            />
            <PasswordInput
              source="admin.password"
              label={texts.admin.shared.password}
              autoComplete="new-password"
              validate={needed(texts.session.passwordRequired)}
            />
          </Row>
        </Group>
      )}
    </>
  );
}
