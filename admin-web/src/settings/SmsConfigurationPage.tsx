import { Alert, Button } from "@mui/material";
import { messageOfError, request, texts, toastError, toastSuccess } from "@routewright/web";
import { useQueryClient } from "@tanstack/react-query";
import { BooleanInput, PasswordInput, SelectInput, TextInput, Title } from "react-admin";
import type { Fields } from "../data/changes.ts";
import { Row } from "../inputs/index.ts";
import { needed } from "../validators.ts";
import { SettingsForm } from "./SettingsForm.tsx";
import { smsConfiguration } from "./store.ts";

const PROVIDERS = [
  { id: "http", name: "HTTP gateway" },
  { id: "outbox", name: "Outbox only (nothing is sent)" },
];

/** The gateway through which SMS are sent. Its key is never shown again. */
export function SmsConfigurationPage() {
  const client = useQueryClient();
  async function remove(): Promise<void> {
    try {
      await request("/secrets/sms_configuration", { method: "DELETE", quiet: true });
      toastSuccess(texts.success.deleted);
      await client.invalidateQueries({ queryKey: ["settings"] });
    } catch (error) {
      toastError("Failed to delete SMS configuration", { description: messageOfError(error) });
    }
  }
  return (
    <>
      <Title title="SMS configuration" />
      <SettingsForm
        store={smsConfiguration}
        failed={{ load: "Failed to fetch SMS configuration", save: "Failed to update SMS configuration" }}
        buttons={(stored: Fields) =>
          stored["provider"] ? (
            <Button color="error" onClick={() => void remove()}>
              Delete
            </Button>
          ) : (
            <Alert severity="info" sx={{ py: 0 }}>
              SMS is not enabled.
            </Alert>
          )
        }
      >
        <Row>
          <SelectInput source="provider" choices={PROVIDERS} validate={needed()} />
          <TextInput source="sender" />
        </Row>
        <Row>
          <TextInput source="base_url" label="Address of the gateway" type="url" />
          <TextInput source="account" />
          <PasswordInput source="api_key" label="API key" autoComplete="new-password" />
        </Row>
        <BooleanInput source="enabled" />
      </SettingsForm>
    </>
  );
}
