import { Alert, Box, Button, Skeleton, Stack, Typography } from "@mui/material";
import {
  ApiError,
  messageOfError,
  refreshSession,
  texts,
  toastError,
  toastSuccess,
  type AccessLevel,
} from "@routewright/web";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { SimpleForm, Toolbar } from "react-admin";
import { useSession } from "@routewright/web";
import type { Fields } from "../data/changes.ts";
import { keepError } from "../data/errors.ts";
import { toHttpError } from "../data/httpClient.ts";
import { useMay } from "../data/organisation.ts";
import { Save } from "../ui/Save.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import type { SettingsStore } from "./store.ts";

interface Props {
  store: SettingsStore;
  title?: string;
  /** Level that saving needs. */
  level?: AccessLevel;
  /** Shown instead of the server's text when loading or saving fails. */
  failed?: { load: string; save: string };
  /** Further buttons beside Save. */
  buttons?: (stored: Fields) => ReactNode;
  children: ReactNode;
}

/** Reads a settings store into a form and writes it back. Refusals are shown at their fields. */
export function SettingsForm({
  store,
  title,
  level = "organisation_settings_write",
  failed,
  buttons,
  children,
}: Props) {
  const client = useQueryClient();
  const mayWrite = useMay(level);
  const organisation = useSession((state) => state.user?.organisation.id);
  const queryKey = ["settings", organisation, store.key];
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: store.load, retry: false });
  if (isPending) return <Skeleton variant="rounded" height={260} sx={{ mt: 2 }} />;
  if (error) {
    return (
      <Alert
        severity="error"
        sx={{ mt: 2 }}
        action={<Button onClick={() => void refetch()}>{texts.common.retry}</Button>}
      >
        {failed?.load ?? error.message}
      </Alert>
    );
  }

  async function save(next: Fields): Promise<unknown> {
    try {
      const stored = await store.save(data ?? {}, next);
      client.setQueryData(queryKey, stored);
      toastSuccess(texts.success.saved);
      await refreshSession();
      return undefined;
    } catch (problem) {
      if (problem instanceof ApiError) keepError(store.key, problem);
      const errors =
        problem instanceof ApiError ? (toHttpError(problem).body as { errors?: Fields }).errors : undefined;
      // The form itself says the text of a refusal that stands at its fields.
      if (errors) return failed ? { ...errors, root: { serverError: failed.save } } : errors;
      toastError(
        failed?.save ?? messageOfError(problem),
        failed ? { description: messageOfError(problem) } : {},
      );
      return undefined;
    }
  }
  return (
    <Box sx={{ mt: 2 }}>
      <Sheet>
        {title && (
          <Typography variant="h6" component="h2" sx={{ px: 2, pt: 2 }}>
            {title}
          </Typography>
        )}
        <SimpleForm
          record={data}
          onSubmit={save}
          reValidateMode="onSubmit"
          warnWhenUnsavedChanges
          noValidate
          disabled={!mayWrite}
          toolbar={
            // Several forms may stand on one page: each keeps its own Save below it, on telephones too.
            <Toolbar sx={{ "&.RaToolbar-mobileToolbar": { position: "static" } }}>
              <Stack direction="row" sx={{ gap: 1 }}>
                {mayWrite && <Save />}
                {mayWrite && buttons?.(data)}
              </Stack>
            </Toolbar>
          }
        >
          {children}
        </SimpleForm>
      </Sheet>
    </Box>
  );
}
