import { Box, Button, FormControlLabel, Switch, Tab, Tabs } from "@mui/material";
import {
  ApiError,
  messageOfError,
  type Module,
  type ModuleKey,
  type Organisation,
  refreshSession,
  request,
  texts,
  toastError,
  toastSuccess,
  useLevel,
  useSession,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Modal } from "../ui/Modal.tsx";
import { useLeave, useUnsaved } from "../ui/unsaved.tsx";
import { AddUsers } from "./AddUsers.tsx";

/** Account setup: modules of the organisation, and new users. */
export function AccountSettingsDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Modal title={texts.settings.accountTitle} width={600} onClose={onClose}>
      <Account />
    </Modal>
  );
}

function Account(): ReactNode {
  const [tab, setTab] = useState(0);
  const leave = useLeave();
  const addsUsers = useLevel("users_write");
  return (
    <>
      <Tabs value={tab} onChange={(_, value: number) => leave(() => setTab(value))} sx={{ mb: 2 }}>
        <Tab label={texts.settings.modules} />
        <Tab label={texts.settings.addUsers} disabled={!addsUsers} />
      </Tabs>
      {tab === 0 ? <Modules /> : <AddUsers />}
    </>
  );
}

function Modules(): ReactNode {
  const organisation = useSession((state) => state.user?.organisation);
  const writes = useLevel("organisations_write");
  const { data: modules = [] } = useQuery({
    queryKey: ["modules"],
    queryFn: () => request<Module[]>("/modules"),
  });
  const [chosen, setChosen] = useState<readonly ModuleKey[]>(organisation?.modules ?? []);
  const [saving, setSaving] = useState(false);
  useUnsaved([...chosen].sort().join() !== [...(organisation?.modules ?? [])].sort().join());
  const save = async (): Promise<void> => {
    if (organisation === undefined) return;
    setSaving(true);
    try {
      await request<Organisation>(`/organisations/${organisation.id}`, {
        method: "PATCH",
        body: { modules: chosen },
        quiet: true,
      });
      toastSuccess(texts.success.updated);
      await refreshSession();
    } catch (error) {
      // A refused choice is only logged; the form keeps it.
      if (error instanceof ApiError && error.status === 400) console.error(error);
      else toastError(messageOfError(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <Box sx={{ display: "grid", gap: 0.5 }}>
      {modules.map(({ key, name }) => (
        <FormControlLabel
          key={key}
          control={
            <Switch
              checked={chosen.includes(key)}
              disabled={!writes}
              onChange={(_, on) => setChosen(on ? [...chosen, key] : chosen.filter((other) => other !== key))}
            />
          }
          label={name}
        />
      ))}
      {writes && (
        <Button variant="contained" loading={saving} onClick={() => void save()} sx={{ justifySelf: "end" }}>
          {texts.common.save}
        </Button>
      )}
    </Box>
  );
}
