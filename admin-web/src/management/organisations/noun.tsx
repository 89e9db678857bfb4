import {
  answer,
  CONSUMPTION_LABELS,
  fill,
  isMaster,
  quietApi,
  refreshSession,
  texts,
  useSession,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { PasswordInput, SelectInput, TextInput } from "react-admin";
import { useWatch } from "react-hook-form";
import { Group, Row } from "../../inputs/index.ts";
import type { Fields } from "../../data/changes.ts";
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
  toSend: ({ name, timezone, modules, admin, settings }, mode) => ({
    name,
    timezone,
    modules,
    ...(mode === "create" && { admin, settings: chosen(settings as Fields | undefined) }),
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
      {mode === "create" && <UnitsAndMoney />}
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

/** What is left empty is as the time zone's country has it. */
function chosen(settings: Fields = {}): Fields {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
}

type UnitOrMoney = "currency" | "distance_unit" | "weight_unit" | "fuel_consumption_unit";

/** What a new organisation begins with: the time zone's country says, unless another is chosen. */
function UnitsAndMoney() {
  const timezone = useWatch({ name: "timezone" }) as string | null | undefined;
  const { data } = useQuery({
    queryKey: ["timezone settings", timezone],
    queryFn: () =>
      answer(quietApi.GET("/timezones/settings", { params: { query: { timezone: timezone ?? "" } } })),
    enabled: Boolean(timezone),
    staleTime: Infinity,
  });
  const usual = (field: UnitOrMoney, labels: Record<string, string> = {}): string =>
    data ? fill(texts.admin.organisations.usual, { value: labels[data[field]] ?? data[field] }) : "";
  return (
    <Group title={texts.admin.settings.unitsAndMeasurement} note={texts.admin.organisations.unitsNote}>
      <Row>
        <TextInput
          source="settings.currency"
          label={texts.admin.fields.currency}
          helperText={usual("currency")}
        />
        <SelectInput
          source="settings.distance_unit"
          label={texts.admin.fields.distance_unit}
          choices={choices(["km", "mi"])}
          helperText={usual("distance_unit")}
        />
      </Row>
      <Row>
        <SelectInput
          source="settings.weight_unit"
          label={texts.admin.fields.weight_unit}
          choices={choices(["kg", "lb"])}
          helperText={usual("weight_unit")}
        />
        <SelectInput
          source="settings.fuel_consumption_unit"
          label={texts.admin.fields.fuel_consumption_unit}
          choices={choices(["l_per_100_km", "mpg_uk", "mpg_us"], CONSUMPTION_LABELS)}
          helperText={usual("fuel_consumption_unit", CONSUMPTION_LABELS)}
        />
      </Row>
    </Group>
  );
}
