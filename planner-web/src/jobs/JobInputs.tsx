import { Box, Checkbox, FormControlLabel, TextField, Typography } from "@mui/material";
import { SizeField, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { ColourField } from "../fields/ColourField.tsx";
import { ExtraFieldsEditor, extraFieldProblems } from "../fields/ExtraFieldsEditor.tsx";
import { TimeField } from "../fields/TimeField.tsx";
import { WordsField } from "../fields/WordsField.tsx";
import { LocationField } from "../locations/LocationField.tsx";
import { useKnownTypes, useMeasures, useOtherUids } from "../plan/known-words.ts";
import type { JobFields } from "./job-fields.ts";

/** Fields of a job that are typed as they are. */
export type TextName = Exclude<
  keyof JobFields,
  "location" | "priority" | "idm" | "client_id" | "extra_fields"
>;

interface JobInputsProps {
  form: UseFormReturn<JobFields>;
  /** Fields that may not stay empty. */
  required: readonly string[];
}

/** Inputs of a job, as many beside each other as there is room for. */
export function JobInputs({ form, required }: JobInputsProps): ReactNode {
  const { control, register, formState } = form;
  const { errors } = formState;
  const text = (name: TextName, options: { help?: string; wide?: boolean } = {}): ReactNode => (
    <TextField
      label={texts.jobs.fields[name]}
      required={name === "uid" || required.includes(name)}
      {...register(name)}
      error={errors[name] !== undefined}
      helperText={errors[name]?.message ?? options.help}
      multiline={options.wide ?? false}
      sx={options.wide === true ? WIDE : undefined}
    />
  );
  const types = useKnownTypes();
  const measures = useMeasures();
  const uids = useOtherUids(form.watch("uid"));
  const words = (name: "spec_type" | "pickup_from" | "deliver_to", known: readonly string[]): ReactNode => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <WordsField
          label={texts.jobs.fields[name]}
          value={field.value}
          onChange={field.onChange}
          known={known}
          required={required.includes(name)}
          problem={errors[name]?.message}
          help={name === "spec_type" ? undefined : texts.jobs.linkHelp}
        />
      )}
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
    <Box
      sx={{
        display: "grid",
        gap: 2,
        alignItems: "start",
        gridTemplateColumns: "repeat(auto-fill, minmax(min(210px, 100%), 1fr))",
      }}
    >
      {text("uid")}
      {text("customer_name")}
      <Box sx={WIDE}>
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
      </Box>
      {text("customer_email", { help: texts.jobs.emailHelp })}
      {text("phone_number")}
      <Controller
        control={control}
        name="size"
        render={({ field }) => (
          <Box sx={measures.length > 1 ? WIDE : {}}>
            <SizeField
              label={texts.jobs.fields.size}
              value={field.value}
              onChange={field.onChange}
              measures={measures}
              required={required.includes("size")}
              problem={errors.size?.message}
            />
          </Box>
        )}
      />
      {words("spec_type", types)}
      {text("duration")}
      {time("arrive_after")}
      {time("leave_by")}
      {text("comments", { wide: true })}
      {words("pickup_from", uids)}
      {words("deliver_to", uids)}
      {text("invoice")}
      {text("reference")}
      {text("dock_location")}
      {text("external_comments")}
      {text("consignee_info")}
      {text("consignor_info")}
      <Controller
        control={control}
        name="colour"
        render={({ field }) => (
          <ColourField label={texts.jobs.fields.colour} value={field.value} onChange={field.onChange} />
        )}
      />
      <Tick form={form} name="priority" />
      <Tick form={form} name="idm" />
      <Box sx={{ gridColumn: "1 / -1" }}>
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
      </Box>
    </Box>
  );
}

/** Two columns where there are two. */
const WIDE = { gridColumn: { sm: "span 2" } };

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
