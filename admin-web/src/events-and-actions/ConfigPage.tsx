import {
  Alert,
  Card,
  CardHeader,
  List,
  ListItem,
  ListItemText,
  Skeleton,
  Switch,
  Typography,
} from "@mui/material";
import { quietApi, api, answer, useSession, texts, fill } from "@routewright/web";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { BooleanInput, Link, Title, useCreatePath } from "react-admin";
import { useMay } from "../data/organisation.ts";
import { NumberInput, Row } from "../inputs/index.ts";
import { SettingsForm } from "../organisation-settings/SettingsForm.tsx";
import { informationGroup } from "../organisation-settings/store.ts";
import { aboveZero, amount, needed } from "../inputs/validators.ts";
import { SigningSecret } from "./SigningSecret.tsx";
import { actions as noun } from "./noun.tsx";

const udfConfig = informationGroup("udf_config");

/** Which actions are on, and the limits they run under. */
export function EventsAndActionsConfig() {
  return (
    <>
      <Title title={texts.admin.eventsActions.configuration} />
      <ActionSwitches />
      <SettingsForm store={udfConfig} title={texts.admin.eventsActions.limits}>
        <BooleanInput source="enabled" label={texts.admin.eventsActions.enabled} />
        <Row>
          <NumberInput
            source="max_actions"
            label={texts.admin.eventsActions.mostActions}
            validate={[needed(), aboveZero]}
          />
          <NumberInput
            source="webhook_timeout_seconds"
            label={texts.admin.eventsActions.webhookSeconds}
            validate={[needed(), aboveZero]}
          />
          <NumberInput source="retries" validate={amount} />
        </Row>
        <SigningSecret source="signing_secret_id" label={texts.admin.eventsActions.signingKey} />
      </SettingsForm>
    </>
  );
}

function ActionSwitches() {
  const client = useQueryClient();
  const mayWrite = useMay("organisation_settings_write");
  const organisation = useSession((state) => state.user?.organisation.id);
  const queryKey = ["udf actions", organisation];
  const createPath = useCreatePath();
  const { data, error, isPending } = useQuery({
    queryKey,
    queryFn: () => answer(quietApi.GET("/udf/actions", { params: { query: { per_page: 300 } } })),
  });
  async function enable(action: { id: number }, enabled: boolean): Promise<void> {
    await api.PATCH("/udf/actions/{id}", { params: { path: { id: action.id } }, body: { enabled } });
    await client.invalidateQueries({ queryKey });
  }
  if (isPending) return <Skeleton variant="rounded" height={120} sx={{ mt: 2 }} />;
  if (error) return <Alert severity="error">{error.message}</Alert>;
  return (
    <Card variant="outlined" sx={{ mt: 2 }}>
      <CardHeader
        title={texts.admin.shared.actions}
        slotProps={{ title: { variant: "h6", component: "h2" } }}
      />
      {data.data.length === 0 && (
        <Typography sx={{ px: 2, pb: 2 }}>{texts.admin.eventsActions.noActionsYet}</Typography>
      )}
      <List disablePadding>
        {data.data.map((action) => (
          <ListItem
            key={action.id}
            secondaryAction={
              <Switch
                edge="end"
                checked={action.enabled}
                disabled={!mayWrite}
                onChange={(event) => void enable(action, event.target.checked)}
                slotProps={{
                  input: { "aria-label": fill(texts.admin.eventsActions.switch, { name: action.name }) },
                }}
              />
            }
          >
            <ListItemText
              primary={
                <Link to={createPath({ resource: noun.name, type: "edit", id: action.id })}>
                  {action.name}
                </Link>
              }
              secondary={`${action.event} → ${action.action}`}
            />
          </ListItem>
        ))}
      </List>
    </Card>
  );
}
