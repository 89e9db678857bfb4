import { ArrayInput, BooleanInput, SelectInput, SimpleFormIterator, TextInput } from "react-admin";
import { quietApi, answer, texts } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { Group, Row } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../data/noun.ts";
import { choices } from "../resource/planning.ts";
import { emailAddresses, internationalPhone, needed, notBlank } from "../inputs/validators.ts";

const OPERATORS = ["=", "!=", "contains", ">", "<", "empty"].map((id) => ({ id, name: id }));
const ACTIONS = choices(["webhook", "email", "sms", "add_tag", "set_extra_field"]);

/** What is done when something happens: an event, conditions on it, and one action. */
export const actions: Noun = {
  name: "events_and_actions/events_and_actions_builder",
  path: "udf/actions",
  ...texts.admin.nouns.actions,
  levels: levelsOf("organisation_settings"),
  module: "udf",
  representation: "name",
  unsearchable: true,
  columns: [
    { source: "name" },
    { source: "event", kind: "choice" },
    { source: "action", kind: "choice", sortable: false },
    { source: "conditions", kind: "count", sortable: false },
    { source: "enabled", kind: "yesno", sortable: false },
  ],
  form: ActionForm,
  defaults: () => ({ enabled: true, conditions: [], config: {} }),
};

function ActionForm() {
  const { data: events = [] } = useQuery({
    queryKey: ["udf events"],
    queryFn: () => answer(quietApi.GET("/udf/events")),
    staleTime: Infinity,
  });
  const chosen = useWatch<{ event?: string }>({ name: "event" });
  const fields = events.find((event) => event.key === chosen)?.fields ?? [];
  return (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <SelectInput
          source="event"
          label={texts.admin.eventsActions.when}
          choices={events.map(({ key, label }) => ({ id: key, name: label }))}
          validate={needed()}
        />
        <BooleanInput source="enabled" />
      </Row>
      <Group title={texts.admin.eventsActions.onlyIf} note={texts.admin.eventsActions.onlyIfNote}>
        <ArrayInput source="conditions" label={false}>
          <SimpleFormIterator inline fullWidth>
            <SelectInput
              source="field"
              choices={fields.map((field) => ({ id: field, name: field }))}
              validate={needed()}
            />
            <SelectInput source="operator" choices={OPERATORS} validate={needed()} />
            <TextInput source="value" />
          </SimpleFormIterator>
        </ArrayInput>
      </Group>
      <Group title={texts.admin.eventsActions.then}>
        <SelectInput source="action" choices={ACTIONS} validate={needed()} />
        <ActionConfig />
      </Group>
    </>
  );
}

/** Fields of the chosen kind of action. */
function ActionConfig() {
  const action = useWatch<{ action?: string }>({ name: "action" });
  switch (action) {
    case "webhook":
      return (
        <TextInput
          source="config.url"
          label={texts.admin.eventsActions.webhookAddress}
          validate={[
            needed(),
            (url) => (String(url).startsWith("https://") ? undefined : texts.admin.eventsActions.httpsOnly),
          ]}
        />
      );
    case "email":
      return (
        <>
          <TextInput
            source="config.to"
            label={texts.admin.eventsActions.to}
            validate={[needed(), emailAddresses]}
          />
          <TextInput source="config.subject" label={texts.admin.eventsActions.subject} validate={needed()} />
          <TextInput source="config.text" label={texts.admin.eventsActions.text} multiline minRows={3} />
        </>
      );
    case "sms":
      return (
        <>
          <TextInput
            source="config.to"
            label={texts.admin.eventsActions.to}
            validate={[needed(), internationalPhone]}
          />
          <TextInput
            source="config.text"
            label={texts.admin.eventsActions.text}
            multiline
            validate={needed()}
          />
        </>
      );
    case "add_tag":
      return <TextInput source="config.tag" label={texts.admin.eventsActions.tag} validate={needed()} />;
    case "set_extra_field":
      return (
        <Row>
          <TextInput source="config.name" label={texts.admin.eventsActions.field} validate={needed()} />
          <TextInput source="config.value" label={texts.admin.shared.value} />
        </Row>
      );
    default:
      return null;
  }
}
