import { Alert, Button } from "@mui/material";
import { messageOfError, request, texts, toastError, toastSuccess } from "@routewright/web";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  BooleanInput,
  Confirm,
  PasswordInput,
  SelectInput,
  TextInput,
  Title,
  useRecordContext,
} from "react-admin";
import type { Fields } from "../data/changes.ts";
import { Row } from "../inputs/index.ts";
import { needed } from "../inputs/validators.ts";
import { SettingsForm } from "./SettingsForm.tsx";
import { smsConfiguration } from "./store.ts";

const PROVIDERS = [
  { id: "http", name: texts.admin.settings.httpGateway },
  { id: "outbox", name: texts.admin.settings.outboxOnly },
];

/** Switches a gateway that is stored; there is nothing to switch before, a new one is on. */
function Switch() {
  const stored = useRecordContext<{ id?: number; provider?: string }>()?.provider !== undefined;
  return stored ? <BooleanInput source="enabled" /> : null;
}

/** The gateway through which SMS are sent. Its key is never shown again. */
export function SmsConfigurationPage() {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  async function remove(): Promise<void> {
    setAsking(false);
    try {
      await request("/secrets/sms_configuration", { method: "DELETE", quiet: true });
      toastSuccess(texts.success.deleted);
      await client.invalidateQueries({ queryKey: ["settings"] });
    } catch (error) {
      toastError(texts.admin.settings.smsDeleteFailed, { description: messageOfError(error) });
    }
  }
  return (
    <>
      <Title title={texts.admin.settings.smsConfiguration} />
      <SettingsForm
        store={smsConfiguration}
        failed={{ load: texts.admin.settings.smsFetchFailed, save: texts.admin.settings.smsUpdateFailed }}
        buttons={(stored: Fields) =>
          stored["provider"] ? (
            <Button color="error" onClick={() => setAsking(true)}>
              {texts.common.delete}
            </Button>
          ) : (
            <Alert severity="info" sx={{ py: 0 }}>
              {texts.admin.settings.smsNotEnabled}
            </Alert>
          )
        }
      >
        <Row>
          <SelectInput source="provider" choices={PROVIDERS} validate={needed()} />
          <TextInput source="sender" />
        </Row>
        <Row>
          <TextInput source="base_url" label={texts.admin.settings.smsBaseUrl} type="url" />
          <TextInput source="account" />
          <PasswordInput source="api_key" label={texts.admin.settings.apiKey} autoComplete="new-password" />
        </Row>
        <Switch />
      </SettingsForm>
      <Confirm
        isOpen={asking}
        title={texts.admin.settings.smsDelete}
        content={texts.admin.settings.smsDeleteText}
        onConfirm={() => void remove()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
