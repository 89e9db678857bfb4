import { zodResolver } from "@hookform/resolvers/zod";
import { Box, Button, Tab, Tabs } from "@mui/material";
import { type Client, fill, type MissingClient, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { type ClientFields, clientFieldsOf, clientInputOf, clientSchema } from "../clients/client-fields.ts";
import { ClientInputs } from "../clients/ClientInputs.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { Modal } from "../ui/Modal.tsx";
import { createClients } from "./upload.ts";

interface CreateClientsDialogProps {
  missing: readonly MissingClient[];
  onClose: () => void;
  /** All clients exist now. */
  onCreated: () => void;
}

/** One tab per client that the file names and that does not exist. */
export function CreateClientsDialog({ missing, onClose, onCreated }: CreateClientsDialogProps): ReactNode {
  const [open, setOpen] = useState<readonly MissingClient[]>(missing);
  const [drafts, setDrafts] = useState<Record<string, ClientFields>>(() =>
    Object.fromEntries(missing.map(({ uid, suggested }) => [uid, clientFieldsOf({ uid, ...suggested })])),
  );
  const [chosen, setChosen] = useState(missing[0]?.uid ?? "");
  /** Something was typed into a tab that is not in front. */
  const [typed, setTyped] = useState(false);
  const current = open.find(({ uid }) => uid === chosen) ?? open[0];
  if (current === undefined) return null;

  const save = async (uids: readonly string[], latest: ClientFields): Promise<void> => {
    const values = { ...drafts, [current.uid]: latest };
    setDrafts(values);
    const bodies = uids.flatMap((uid): Partial<Client>[] => {
      const fields = values[uid];
      return fields === undefined ? [] : [clientInputOf(fields)];
    });
    const failed = await createClients(bodies);
    const left = open.filter(({ uid }) => !uids.includes(uid) || failed.includes(uid));
    setOpen(left);
    setChosen(left[0]?.uid ?? "");
    if (left.length === 0) onCreated();
  };

  return (
    <ClientTab
      key={current.uid}
      initial={drafts[current.uid] ?? clientFieldsOf({ uid: current.uid })}
      current={current}
      open={open}
      onClose={onClose}
      typed={typed}
      onSwitch={(uid, latest, changed) => {
        if (changed) setTyped(true);
        setDrafts({ ...drafts, [current.uid]: latest });
        setChosen(uid);
      }}
      onSave={(latest) => save([current.uid], latest)}
      onSaveAll={(latest) =>
        save(
          open.map(({ uid }) => uid),
          latest,
        )
      }
    />
  );
}

interface ClientTabProps {
  initial: ClientFields;
  current: MissingClient;
  open: readonly MissingClient[];
  onClose: () => void;
  typed: boolean;
  onSwitch: (uid: string, latest: ClientFields, changed: boolean) => void;
  onSave: (latest: ClientFields) => Promise<void>;
  onSaveAll: (latest: ClientFields) => Promise<void>;
}

function ClientTab(props: ClientTabProps): ReactNode {
  const { initial, current, open, typed, onSwitch, onSave, onSaveAll } = props;
  const [asking, setAsking] = useState(false);
  const form: UseFormReturn<ClientFields> = useForm<ClientFields>({
    resolver: zodResolver(clientSchema),
    reValidateMode: "onSubmit",
    defaultValues: initial,
  });
  const { isDirty } = form.formState;
  const onClose = (): void => {
    if (typed || isDirty) setAsking(true);
    else props.onClose();
  };
  return (
    <Modal
      title={texts.imports.clientsTitle}
      width="75%"
      sticky
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="outlined" onClick={() => void form.handleSubmit(onSave)()}>
            {fill(texts.imports.saveClient, { uid: current.uid })}
          </Button>
          <Button variant="contained" onClick={() => void form.handleSubmit(onSaveAll)()}>
            {texts.imports.saveAll}
          </Button>
        </>
      }
    >
      <Tabs
        value={current.uid}
        variant="scrollable"
        onChange={(_, uid: string) => onSwitch(uid, form.getValues(), isDirty)}
        sx={{ mb: 2 }}
      >
        {open.map(({ uid }) => (
          <Tab key={uid} value={uid} label={uid} />
        ))}
      </Tabs>
      <Box>
        <ClientInputs form={form} />
      </Box>
      {asking && (
        <ConfirmDialog
          title={texts.imports.loseTitle}
          text={texts.imports.loseClients}
          onClose={() => setAsking(false)}
          choices={[{ label: texts.imports.lose, colour: "error", act: props.onClose }]}
        />
      )}
    </Modal>
  );
}
