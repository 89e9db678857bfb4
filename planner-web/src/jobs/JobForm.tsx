import { zodResolver } from "@hookform/resolvers/zod";
import { Box, Button } from "@mui/material";
import { type Client, type Job, texts } from "@routewright/web";
import { type ReactNode, useMemo, useState } from "react";
import { type Path, useForm, type UseFormReturn } from "react-hook-form";
import { ClientField } from "../clients/ClientField.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import { DuplicateUidDialog } from "./DuplicateUidDialog.tsx";
import { changesOf, fieldsOf, inputOf, type JobFields, jobSchema, typedChanges } from "./job-fields.ts";
import { JobInputs, type TextName } from "./JobInputs.tsx";
import { useRequiredJobFields } from "./required-fields.ts";
import { createJob, fieldProblems, jobWithUid, updateJob } from "./save-job.ts";

export interface JobFormProps {
  job: Job | null;
  /** `null`: the pool. */
  scenarioId: number | null;
  onSaved: (job: Job) => void;
  /** Beside the save button. */
  extraActions?: ReactNode;
}

/** Creates or edits a job. A failed save keeps everything that was typed. */
export function JobForm({ job, scenarioId, onSaved, extraActions }: JobFormProps): ReactNode {
  const required = useRequiredJobFields();
  const schema = useMemo(() => jobSchema(required), [required]);
  const before = useMemo(() => fieldsOf(job), [job]);
  const form = useForm<JobFields>({
    resolver: zodResolver(schema) as never,
    reValidateMode: "onSubmit",
    defaultValues: before,
  });
  useUnsaved(form.formState.isDirty);
  const [duplicate, setDuplicate] = useState<{ found: Job; fields: JobFields } | null>(null);

  const save = async (work: () => Promise<Job>): Promise<void> => {
    try {
      onSaved(await work());
    } catch (error) {
      for (const [name, message] of Object.entries(fieldProblems(error))) {
        form.setError(name as Path<JobFields>, { message });
      }
    }
  };
  const submit = form.handleSubmit(async (fields) => {
    if (job !== null) {
      await save(() => updateJob(job.id, changesOf(before, fields)));
      return;
    }
    const found = await jobWithUid(fields.uid.trim(), scenarioId).catch(() => undefined);
    if (found === undefined) return;
    if (found === null) await save(() => createJob(inputOf(fields), scenarioId));
    else setDuplicate({ found, fields });
  });

  const saveLabel =
    job !== null ? texts.jobs.update : scenarioId === null ? texts.jobs.createToPool : texts.jobs.create;
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: "grid", gap: 2 }}>
      {job === null && <ClientField onChoose={(client) => fillFromClient(form, client)} />}
      <JobInputs form={form} required={required} />
      <Box
        sx={{
          display: "flex",
          gap: 1,
          justifyContent: "flex-end",
          position: "sticky",
          bottom: -17,
          zIndex: 1,
          py: 1,
          bgcolor: "background.paper",
        }}
      >
        {extraActions}
        <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
          {saveLabel}
        </Button>
      </Box>
      {duplicate !== null && (
        <DuplicateUidDialog
          found={duplicate.found}
          changes={typedChanges(duplicate.found, duplicate.fields)}
          onClose={() => setDuplicate(null)}
          onCreate={() => {
            setDuplicate(null);
            void save(() => createJob(inputOf(duplicate.fields), scenarioId));
          }}
          onEdit={() => {
            const { found, fields } = duplicate;
            const changes = typedChanges(found, fields);
            setDuplicate(null);
            void save(() =>
              Object.keys(changes).length === 0 ? Promise.resolve(found) : updateJob(found.id, changes),
            );
          }}
        />
      )}
    </Box>
  );
}

/** Client fields go into the job fields of the same meaning; empty ones leave what was typed. */
function fillFromClient(form: UseFormReturn<JobFields>, client: Client): void {
  const dirty = { shouldDirty: true };
  form.setValue("client_id", client.id, dirty);
  if (client.location !== null) form.setValue("location", client.location, dirty);
  const values: Partial<Record<TextName, string | null>> = {
    customer_name: client.name,
    comments: client.delivery_instructions,
    arrive_after: client.arrive_after?.slice(0, 5) ?? null,
    leave_by: client.leave_by?.slice(0, 5) ?? null,
    spec_type: client.spec_type,
    customer_email: client.customer_email,
    phone_number: client.phone_number,
    dock_location: client.dock_location,
    external_comments: client.external_comments,
    consignee_info: client.consignee_info,
    colour: client.colour,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== "") form.setValue(name as TextName, value, dirty);
  }
  // What was typed before goes before what the client has.
  const typed = form.getValues("extra_fields");
  const names = new Set(typed.map(({ name }) => name.trim()));
  const added = Object.entries(client.extra_fields).filter(([name]) => !names.has(name));
  form.setValue("extra_fields", [...typed, ...added.map(([name, value]) => ({ name, value }))]);
}
