import { zodResolver } from "@hookform/resolvers/zod";
import { Box, Button, Checkbox, FormControlLabel, TextField, Typography } from "@mui/material";
import { type Client, fill, type Job, texts } from "@routewright/web";
import { type ReactNode, useMemo, useState } from "react";
import { Controller, type Path, useForm, type UseFormReturn } from "react-hook-form";
import { ClientField } from "../clients/ClientField.tsx";
import { ColourField } from "../fields/ColourField.tsx";
import { ExtraFieldsEditor, extraFieldProblems } from "../fields/ExtraFieldsEditor.tsx";
import { TimeField } from "../fields/TimeField.tsx";
import { LocationField } from "../locations/LocationField.tsx";
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx";
import { changesOf, fieldsOf, inputOf, type JobFields, jobSchema } from "./job-fields.ts";
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
        <ConfirmDialog
          title={fill(texts.jobs.duplicateTitle, { uid: duplicate.found.uid })}
          text={texts.jobs.duplicateText}
          onClose={() => setDuplicate(null)}
          choices={[
            {
              label: texts.jobs.createNew,
              primary: false,
              act: () => {
                setDuplicate(null);
                void save(() => createJob(inputOf(duplicate.fields), scenarioId));
              },
            },
            {
              label: texts.jobs.editExisting,
              act: () => {
                const { found, fields } = duplicate;
                setDuplicate(null);
                void save(() => updateJob(found.id, changesOf(fieldsOf(found), fields)));
              },
            },
          ]}
        />
      )}
    </Box>
  );
}

type TextName = Exclude<keyof JobFields, "location" | "priority" | "idm" | "client_id" | "extra_fields">;

function JobInputs({
  form,
  required,
}: {
  form: UseFormReturn<JobFields>;
  required: readonly string[];
}): ReactNode {
  const { control, register, formState } = form;
  const { errors } = formState;
  const text = (name: TextName, options: { help?: string; multiline?: boolean } = {}): ReactNode => (
    <TextField
      label={texts.jobs.fields[name]}
      required={name === "uid" || required.includes(name)}
      {...register(name)}
      error={errors[name] !== undefined}
      helperText={errors[name]?.message ?? options.help}
      multiline={options.multiline ?? false}
      minRows={options.multiline === true ? 2 : undefined}
    />
  );
  const time = (name: "arrive_after" | "leave_by"): ReactNode => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <TimeField
          label={texts.jobs.fields[name]}
          step={15}
          value={field.value}
          onChange={field.onChange}
          problem={errors[name]?.message}
        />
      )}
    />
  );
  return (
    <>
      <Grid>
        {text("uid")}
        {text("customer_name")}
      </Grid>
      <Controller
        control={control}
        name="location"
        render={({ field }) => (
          <LocationField
            label={texts.jobs.fields.address}
            required
            value={field.value}
            onChange={field.onChange}
            problem={errors.location?.message}
          />
        )}
      />
      <Grid>
        {text("customer_email", { help: texts.jobs.emailHelp })}
        {text("phone_number")}
        {text("size", { help: texts.jobs.sizeHelp })}
        {text("spec_type", { help: texts.jobs.typeHelp })}
      </Grid>
      <Grid columns={3}>
        {text("duration")}
        {time("arrive_after")}
        {time("leave_by")}
      </Grid>
      {text("comments", { multiline: true })}
      <Grid>
        {text("pickup_from", { help: texts.jobs.linkHelp })}
        {text("deliver_to", { help: texts.jobs.linkHelp })}
        {text("invoice")}
        {text("reference")}
        {text("dock_location")}
        {text("external_comments")}
        {text("consignee_info")}
        {text("consignor_info")}
      </Grid>
      <Grid columns={3}>
        <Controller
          control={control}
          name="colour"
          render={({ field }) => (
            <ColourField label={texts.jobs.fields.colour} value={field.value} onChange={field.onChange} />
          )}
        />
        <Tick form={form} name="priority" />
        <Tick form={form} name="idm" />
      </Grid>
      <Controller
        control={control}
        name="extra_fields"
        render={({ field }) => (
          <ExtraFieldsEditor
            fields={field.value}
            onChange={field.onChange}
            problems={errors.extra_fields === undefined ? [] : extraFieldProblems(field.value)}
          />
        )}
      />
    </>
  );
}

function Tick({ form, name }: { form: UseFormReturn<JobFields>; name: "priority" | "idm" }): ReactNode {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <FormControlLabel
          control={<Checkbox checked={field.value} onChange={(_, checked) => field.onChange(checked)} />}
          label={<Typography variant="body2">{texts.jobs.fields[name]}</Typography>}
        />
      )}
    />
  );
}

function Grid({ columns = 2, children }: { columns?: number; children: ReactNode }): ReactNode {
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        gridTemplateColumns: { xs: "1fr", sm: `repeat(${columns}, minmax(0, 1fr))` },
      }}
    >
      {children}
    </Box>
  );
}

/** Client fields go into the job fields of the same meaning; empty ones leave what was typed. */
function fillFromClient(form: UseFormReturn<JobFields>, client: Client): void {
  form.setValue("client_id", client.id);
  if (client.location !== null) form.setValue("location", client.location);
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
    if (value !== null && value !== "") form.setValue(name as TextName, value);
  }
}
