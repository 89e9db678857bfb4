import { Box, Chip, Stack, Typography } from "@mui/material";
import {
  ApiError,
  changeOwnUser,
  messageOfError,
  refreshSession,
  toastError,
  toastSuccess,
  useSession,
} from "@routewright/web";
import { PasswordInput, SaveButton, SimpleForm, TextInput, Title, Toolbar } from "react-admin";
import { changedFields, type Fields } from "../data/changes.ts";
import { toHttpError } from "../data/httpClient.ts";
import { Group, Row } from "../inputs/index.ts";
import { Sheet } from "../resource/Sheet.tsx";
import { Fact, Facts } from "../resource/Facts.tsx";
import { emailAddress, internationalPhone, needed } from "../validators.ts";

/** The own user: name, contact, password, and what the user may do. */
export function AccountPage() {
  const user = useSession((state) => state.user);
  if (!user) return null;
  const { id, first_name, last_name, email, phone_number } = user;
  const own = { id, first_name, last_name, email, phone_number };

  async function save(form: Fields): Promise<unknown> {
    const changes = changedFields(own, form);
    if (Object.keys(changes).length === 0) return undefined;
    try {
      await changeOwnUser(changes);
      toastSuccess("Successfully updated");
      await refreshSession();
      return undefined;
    } catch (error) {
      toastError(messageOfError(error));
      return error instanceof ApiError ? (toHttpError(error).body as { errors?: unknown }).errors : undefined;
    }
  }
  return (
    <Box sx={{ mt: 2, maxWidth: 900 }}>
      <Sheet>
        <Title title="Account" />
        <SimpleForm
          record={own}
          onSubmit={save}
          reValidateMode="onSubmit"
          noValidate
          toolbar={
            <Toolbar>
              <SaveButton />
            </Toolbar>
          }
        >
          <Facts>
            <Fact name="Organisation" value={user.organisation.name} />
            <Fact name="Role" value={user.role.name} />
            <Fact name="Timezone" value={user.organisation.timezone} />
          </Facts>
          <Row>
            <TextInput source="first_name" validate={needed("First name is required")} />
            <TextInput source="last_name" validate={needed("Last name is required")} />
          </Row>
          <Row>
            <TextInput source="email" type="email" validate={[needed("Email is required"), emailAddress]} />
            <TextInput source="phone_number" type="tel" validate={internationalPhone} />
          </Row>
          <PasswordInput
            source="new_password"
            autoComplete="new-password"
            helperText="Left empty, the password stays as it is. A change ends all other sessions."
          />
          <Group title="Modules of the organisation">
            <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
              {user.organisation.modules.map((module) => (
                <Chip key={module} label={module.replaceAll("_", " ")} size="small" />
              ))}
              {user.organisation.modules.length === 0 && <Typography color="text.secondary">None</Typography>}
            </Stack>
          </Group>
        </SimpleForm>
      </Sheet>
    </Box>
  );
}
