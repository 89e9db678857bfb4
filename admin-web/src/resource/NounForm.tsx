import { Alert, Button } from "@mui/material";
import { messageOfError, toastError, texts, fill } from "@routewright/web";
import {
  Create,
  DeleteButton,
  Edit,
  ListButton,
  SimpleForm,
  Toolbar,
  TopToolbar,
  useEditContext,
  useRecordContext,
  useNotify,
  useRedirect,
  type Identifier,
  type RaRecord,
} from "react-admin";
import { useMay, useMayDelete } from "../data/organisation.ts";
import { Save } from "../ui/Save.tsx";
import { HistoryButton } from "./History.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { type Noun, represent } from "../data/noun.ts";

/** Page that makes a new record. Refusals are shown at their fields and what was typed stays. */
export function NounCreate({ noun }: { noun: Noun }) {
  const said = useSaid(noun, "create");
  const Inputs = noun.form;
  if (!Inputs) return null;
  return (
    <Create
      title={fill(texts.admin.shared.addOne, { noun: noun.singular.toLowerCase() })}
      redirect="list"
      mutationOptions={said}
      component={Sheet}
      actions={<FormActions />}
    >
      <SimpleForm
        defaultValues={noun.defaults?.()}
        toolbar={<FormToolbar noun={noun} mode="create" />}
        reValidateMode="onSubmit"
        warnWhenUnsavedChanges
        noValidate
      >
        <Inputs mode="create" />
      </SimpleForm>
    </Create>
  );
}

/** Page that changes the record of the route, or the given one. Only changed fields are sent. */
export function NounEdit({ noun, id }: { noun: Noun; id?: Identifier }) {
  const said = useSaid(noun, "update");
  const Inputs = noun.form;
  if (!Inputs) return null;
  return (
    <Edit
      id={id}
      title={<RecordTitle noun={noun} />}
      mutationMode="pessimistic"
      redirect="list"
      mutationOptions={said}
      component={Sheet}
      actions={<FormActions noun={noun} />}
      error={<EditError />}
    >
      <SimpleForm
        toolbar={<FormToolbar noun={noun} mode="edit" />}
        reValidateMode="onSubmit"
        warnWhenUnsavedChanges
        noValidate
      >
        <Fixed noun={noun} />
        <Inputs mode="edit" />
      </SimpleForm>
    </Edit>
  );
}

/** The noun's own success text, and its failure text where it has one. */
function useSaid(noun: Noun, deed: "create" | "update") {
  const notify = useNotify();
  const redirect = useRedirect();
  const done = deed === "create" ? noun.said?.created : noun.said?.updated;
  const failed = deed === "create" ? noun.said?.createFailed : noun.said?.updateFailed;
  return {
    ...(done && {
      onSuccess: (record: RaRecord) => {
        notify(done, { type: "success" });
        redirect("list", noun.name, record.id, record);
      },
    }),
    ...(failed && {
      onError: (error: unknown) => {
        toastError(failed, { description: messageOfError(error) });
      },
    }),
  };
}

export function RecordTitle({ noun }: { noun: Noun }) {
  const { record } = useEditContext<RaRecord>();
  return <>{record ? titleOf(noun.singular, represent(noun, record)) : noun.singular}</>;
}

/** `Client Gamma` of a client called so, whether or not its name says what it is. */
function titleOf(singular: string, name: string): string {
  return name.toLowerCase().startsWith(singular.toLowerCase()) ? name : `${singular} ${name}`;
}

export function FormActions({ noun }: { noun?: Noun }) {
  return (
    <TopToolbar sx={{ flexWrap: "wrap", bgcolor: { xs: "transparent" } }}>
      {noun?.editActions}
      {noun?.audited && <HistoryButton kind={noun.audited} />}
      <ListButton />
    </TopToolbar>
  );
}

export function FormToolbar({ noun, mode }: { noun: Noun; mode: "create" | "edit" }) {
  const mayWrite = useMay(noun.levels.write, noun.module);
  const mayDelete = useMayDelete(noun);
  const notify = useNotify();
  const redirect = useRedirect();
  const record = useRecordContext();
  const { deleted, deleteFailed: failed } = noun.said ?? {};
  if (mode === "edit" && record && noun.fixedBecause?.(record) !== undefined) return null;
  return (
    <Toolbar sx={{ display: "flex", justifyContent: "space-between" }}>
      {mayWrite && <Save alwaysEnable={mode === "create"} />}
      {mode === "edit" && mayDelete && noun.deleteButton}
      {mode === "edit" && mayDelete && !noun.deleteButton && (
        <DeleteButton
          mutationMode="pessimistic"
          confirmTitle={fill(texts.admin.shared.deleteOne, { noun: noun.singular.toLowerCase() })}
          {...(noun.binned && { confirmContent: texts.common.binned })}
          mutationOptions={{
            ...(deleted && {
              onSuccess: () => {
                notify(deleted, { type: "success" });
                redirect("list", noun.name);
              },
            }),
            ...(failed && {
              onError: (error: unknown) => {
                toastError(failed, { description: messageOfError(error) });
              },
            }),
          }}
        />
      )}
    </Toolbar>
  );
}

/** Tells of a record that stays as it is why. */
function Fixed({ noun }: { noun: Noun }) {
  const record = useRecordContext();
  const reason = record && noun.fixedBecause?.(record);
  return reason === undefined ? null : (
    <Alert severity="info" sx={{ width: "100%", mb: 2 }}>
      {reason}
    </Alert>
  );
}

export function EditError() {
  const { error, refetch } = useEditContext();
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" size="small" onClick={() => void refetch()}>
          {texts.admin.shared.tryAgain}
        </Button>
      }
    >
      {error instanceof Error ? error.message : texts.errors.unknown}
    </Alert>
  );
}
