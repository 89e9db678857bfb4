import { Alert, Box, Button, Chip, Stack, Typography } from "@mui/material";
import {
  ApiError,
  changeOwnUser,
  fill,
  messageOfError,
  quietApi,
  session,
  refreshSession,
  toastError,
  toastSuccess,
  useSession,
  texts,
} from "@routewright/web";
import { useState } from "react";
import { PasswordInput, SimpleForm, TextInput, Title, Toolbar } from "react-admin";
import { useWatch } from "react-hook-form";
import { changedFields, type Fields } from "../data/changes.ts";
import { toHttpError } from "../data/httpClient.ts";
import { Group, Row } from "../inputs/index.ts";
import { Save } from "../ui/Save.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { emailAddress, internationalPhone, needed } from "../inputs/validators.ts";

/** The own user: name, contact, password, and what the user may do. */
export function AccountPage() {
  const user = useSession((state) => state.user);
  const [saves, setSaves] = useState(0);
  if (!user) return null;
  const { id, first_name, last_name, email, phone_number } = user;
  const own = { id, first_name, last_name, email, phone_number };

  async function save(form: Fields): Promise<unknown> {
    const changes = changedFields(own, form);
    if (Object.keys(changes).length === 0) return undefined;
    try {
      await changeOwnUser(changes, quietApi);
      const pending = session().user?.pending_email;
      if ("email" in changes && pending)
        toastSuccess(fill(texts.session.confirmationSent, { email: pending }));
      else toastSuccess(texts.success.updated);
      await refreshSession();
      // The passwords leave the form, and the address is what it still is.
      setSaves((count) => count + 1);
      return undefined;
    } catch (error) {
      const errors =
        error instanceof ApiError ? (toHttpError(error).body as { errors?: unknown }).errors : undefined;
      // The form itself says the text of a refusal that stands at its fields.
      if (!errors) toastError(messageOfError(error));
      return errors;
    }
  }
  return (
    <Box sx={{ mt: 2, maxWidth: 900 }}>
      <Sheet>
        <Title title={texts.admin.shared.account} />
        {user.pending_email && <Pending email={email} pending={user.pending_email} />}
        <SimpleForm
          key={saves}
          record={own}
          onSubmit={save}
          reValidateMode="onSubmit"
          warnWhenUnsavedChanges
          noValidate
          toolbar={
            <Toolbar>
              <Save />
            </Toolbar>
          }
        >
          <Facts>
            <Fact name={texts.admin.account.organisation} value={user.organisation.name} />
            <Fact name={texts.admin.shared.role} value={user.role.name} />
            <Fact name={texts.admin.account.timezone} value={user.organisation.timezone} />
          </Facts>
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
          <PasswordInput
            source="new_password"
            autoComplete="new-password"
            helperText={texts.admin.account.passwordHelp}
          />
          <CurrentPassword email={email} />
          <Group title={texts.admin.account.modules}>
            <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
              {user.organisation.modules.map((module) => (
                <Chip key={module} label={texts.modules[module]} size="small" />
              ))}
              {user.organisation.modules.length === 0 && (
                <Typography color="text.secondary">{texts.common.none}</Typography>
              )}
            </Stack>
          </Group>
        </SimpleForm>
      </Sheet>
    </Box>
  );
}

/** Asked for as soon as the form would change how its owner signs in. */
function CurrentPassword({ email }: { email: string }) {
  const form = useWatch<{ email?: string | null; new_password?: string | null }>() as Fields;
  if (!form.new_password && (form.email ?? email) === email) return null;
  return (
    <PasswordInput
      source="current_password"
      autoComplete="current-password"
      helperText={texts.admin.account.currentPasswordHelp}
    />
  );
}

/** A new address that was not confirmed yet, and the way back. */
function Pending({ email, pending }: { email: string; pending: string }) {
  // A refusal is toasted by the request.
  const keep = (): Promise<void> =>
    changeOwnUser({ email }).then(
      () => void toastSuccess(texts.success.updated),
      () => undefined,
    );
  return (
    <Alert
      severity="info"
      sx={{ m: 2, mb: 0 }}
      action={<Button onClick={() => void keep()}>{texts.admin.account.keepAddress}</Button>}
    >
      {fill(texts.admin.account.pendingAddress, { email, pending })}
    </Alert>
  );
}
