import { zodResolver } from "@hookform/resolvers/zod";
import { Button } from "@mui/material";
import { ApiError, type Client, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { type Path, useForm } from "react-hook-form";
import { Modal } from "../ui/Modal.tsx";
import { type ClientFields, clientFieldsOf, clientInputOf, clientSchema } from "./client-fields.ts";
import { ClientInputs } from "./ClientInputs.tsx";
import { clients } from "./clients.ts";

interface ClientDialogProps {
  onClose: () => void;
  onSaved: (client: Client) => void;
}

/** Creates a client from the job form. */
export function ClientDialog({ onClose, onSaved }: ClientDialogProps): ReactNode {
  const form = useForm<ClientFields>({
    resolver: zodResolver(clientSchema),
    reValidateMode: "onSubmit",
    defaultValues: clientFieldsOf({}),
  });
  const submit = form.handleSubmit(async (fields) => {
    try {
      onSaved(await clients.create(clientInputOf(fields)));
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      for (const [name, message] of Object.entries(error.fields)) {
        form.setError(name as Path<ClientFields>, { message });
      }
    }
  });
  return (
    <Modal
      title={texts.jobs.newClient}
      width={640}
      unsaved={form.formState.isDirty}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={form.formState.isSubmitting} onClick={() => void submit()}>
            {texts.common.save}
          </Button>
        </>
      }
    >
      <ClientInputs form={form} />
    </Modal>
  );
}
