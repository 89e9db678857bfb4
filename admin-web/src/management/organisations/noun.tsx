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
import { SelectInput, TextInput, useRecordContext } from "react-admin";
import { useWatch } from "react-hook-form";
import { NumberInput, Group, Row } from "../../inputs/index.ts";
import type { Fields } from "../../data/changes.ts";
import { levelsOf, type FormMode, type Noun } from "../../data/noun.ts";
import { choices } from "../../resource/planning.ts";
import { between, emailAddress, needed, wholeNumber } from "../../inputs/validators.ts";
import { Fact, Facts } from "../../ui/Facts.tsx";
import { FirstPassword, withFirstPassword } from "../users/FirstPassword.tsx";
import { DeleteOrganisation } from "./DeleteOrganisation.tsx";
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
  deletedAlone: true,
  deleteButton: <DeleteOrganisation />,
  ids: "ids",
  // Hauliers have a page of their own, where alone they can be changed.
  listed: { haulier: false },
  representation: "name",
  columns: [
    { source: "name" },
    { source: "timezone" },
    { source: "state", kind: "choice" },
    { source: "modules", kind: "modules", sortable: false },
    { source: "heavy_work_at_once", kind: "number", sortable: false, hidden: true },
    { source: "requests_at_once", kind: "number", sortable: false, hidden: true },
    { source: "created", kind: "moment" },
  ],
  filters: [
    <SelectInput key="state" source="state" choices={choices(["provisioning", "ready", "failed"])} />,
  ],
  form: OrganisationForm,
  defaults: () => ({ timezone: "UTC", modules: ["units", "returns"] }),
  rowActions: <WorkInOrganisation />,
  toSend: ({ name, timezone, modules, heavy_work_at_once, requests_at_once, admin, settings }, mode) => ({
    name,
    timezone,
    modules,
    heavy_work_at_once,
    requests_at_once,
    ...(mode === "create" && {
      admin: admin && withFirstPassword(admin as Fields),
      settings: chosen(settings as Fields | undefined),
    }),
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
      {master ? <LimitInputs /> : <Limits />}
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
          </Row>
          <FirstPassword source="admin." />
        </Group>
      )}
    </>
  );
}

/** What an organisation may do at the same time. */
const LIMITS = [
  ["heavy_work_at_once", texts.admin.organisations.heavyWorkHelp],
  ["requests_at_once", texts.admin.organisations.requestsHelp],
] as const;

/** Operators say how much an organisation may take from the others. */
function LimitInputs() {
  return (
    <Row>
      {LIMITS.map(([source, help]) => (
        <NumberInput
          key={source}
          source={source}
          validate={[wholeNumber, between(1, 100)]}
          helperText={help}
        />
      ))}
    </Row>
  );
}

/** Its own administrator sees the limits that operators have set. */
function Limits() {
  const record = useRecordContext<Partial<Record<(typeof LIMITS)[number][0], number | null>>>();
  const set = LIMITS.flatMap(([source]) => {
    const value = record?.[source];
    return value ? [<Fact key={source} name={texts.admin.fields[source]} value={value} />] : [];
  });
  return set.length === 0 ? null : <Facts>{set}</Facts>;
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
