import { Box } from "@mui/material";
import { useState } from "react";
import {
  ApiError,
  fill,
  messageOfError,
  request,
  texts,
  toastError,
  toastLoading,
  toastSuccess,
} from "@routewright/web";
import {
  ArrayInput,
  ResourceContextProvider,
  SimpleForm,
  SimpleFormIterator,
  TextInput,
  Title,
  Toolbar,
  useRedirect,
} from "react-admin";
import { OneInput, Row } from "../inputs/index.ts";
import { Save } from "../ui/Save.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { returns } from "./noun.tsx";
import { needed, notBlank } from "../inputs/validators.ts";

interface Line {
  uid: string;
  comments?: string | null;
}

interface Values {
  job_id?: number | null;
  client_id?: number | null;
  lines?: Line[];
}

/** Makes several returns for one job or client in one go. */
export function CreateReturns() {
  const redirect = useRedirect();
  const [record, setRecord] = useState<Values>({ lines: [{ uid: "" }] });

  async function save(values: Values): Promise<unknown> {
    const lines = values.lines ?? [];
    let made = 0;
    const toast = toastLoading(texts.attachments.savingReturn);
    try {
      for (const line of lines) {
        await request("/returns", {
          method: "POST",
          body: { ...line, job_id: values.job_id ?? null, client_id: values.client_id ?? null },
          quiet: true,
        });
        made += 1;
      }
      const said =
        made === 1 ? texts.attachments.returnCreated : fill(texts.admin.returns.added, { n: made });
      toastSuccess(said, { id: toast });
      redirect("list", returns.name);
      return undefined;
    } catch (error) {
      const before = made > 0 ? ` ${fill(texts.admin.returns.addedBefore, { n: made })}` : "";
      toastError(texts.attachments.returnFailed, {
        id: toast,
        description: `${messageOfError(error)}${before}`,
      });
      // What is made must not be made again by the next try.
      if (made > 0) setRecord({ ...values, lines: lines.slice(made) });
      else if (error instanceof ApiError) return places(error.fields);
      return undefined;
    }
  }
  return (
    <ResourceContextProvider value={returns.name}>
      <Box sx={{ mt: 2 }}>
        <Sheet>
          <Title title={texts.admin.returns.createReturns} />
          <SimpleForm
            record={record}
            onSubmit={(values: Values) => save(values)}
            reValidateMode="onSubmit"
            warnWhenUnsavedChanges
            noValidate
            toolbar={
              <Toolbar>
                <Save alwaysEnable />
              </Toolbar>
            }
          >
            <Row>
              <OneInput source="job_id" of="database/jobs" helperText={texts.admin.returns.jobsHelp} />
              <OneInput source="client_id" of="database/clients" />
            </Row>
            <ArrayInput source="lines" label={texts.admin.returns.returns}>
              <SimpleFormIterator inline fullWidth disableReordering>
                <TextInput
                  source="uid"
                  label={texts.admin.returns.uid}
                  validate={[needed(texts.checks.uidRequired), notBlank]}
                />
                <TextInput source="comments" />
              </SimpleFormIterator>
            </ArrayInput>
          </SimpleForm>
        </Sheet>
      </Box>
    </ResourceContextProvider>
  );
}

/** Refused fields of the first line; the job and the client stand once above all lines. */
function places(fields: Record<string, string>): unknown {
  const shared = Object.entries(fields).filter(([name]) => name === "job_id" || name === "client_id");
  const line = Object.entries(fields).filter(([name]) => name !== "job_id" && name !== "client_id");
  return {
    ...Object.fromEntries(shared),
    ...(line.length > 0 && { lines: { 0: Object.fromEntries(line) } }),
  };
}
