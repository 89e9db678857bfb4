import { Box, TextField } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Controller, type UseFormReturn } from "react-hook-form";
import { ColourField } from "../fields/ColourField.tsx";
import { ExtraFieldsEditor, extraFieldProblems } from "../fields/ExtraFieldsEditor.tsx";
import { TimeField } from "../fields/TimeField.tsx";
import { LocationField } from "../locations/LocationField.tsx";
import type { ClientFields } from "./client-fields.ts";

const LABELS: Record<keyof ClientFields, string> = {
  uid: texts.jobs.fields.uid,
  name: texts.common.name,
  location: texts.jobs.fields.address,
  customer_email: texts.jobs.fields.customer_email,
  phone_number: texts.jobs.fields.phone_number,
  arrive_after: texts.jobs.fields.arrive_after,
  leave_by: texts.jobs.fields.leave_by,
  spec_type: texts.jobs.fields.spec_type,
  delivery_instructions: texts.jobs.fields.comments,
  dock_location: texts.jobs.fields.dock_location,
  consignee_info: texts.jobs.fields.consignee_info,
  external_comments: texts.jobs.fields.external_comments,
  colour: texts.jobs.fields.colour,
  extra_fields: texts.jobs.extraFields,
};

const TEXT_FIELDS = [
  "uid",
  "name",
  "customer_email",
  "phone_number",
  "spec_type",
  "dock_location",
  "delivery_instructions",
  "consignee_info",
  "external_comments",
] as const;

/** Inputs of a client. */
export function ClientInputs({ form }: { form: UseFormReturn<ClientFields> }): ReactNode {
  const { control, register, formState } = form;
  const { errors } = formState;
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
      {TEXT_FIELDS.map((name) => (
        <TextField
          key={name}
          label={LABELS[name]}
          required={name === "uid" || name === "name"}
          {...register(name)}
          error={errors[name] !== undefined}
          helperText={errors[name]?.message}
        />
      ))}
      <Controller
        control={control}
        name="location"
        render={({ field }) => (
          <LocationField
            label={LABELS.location}
            value={field.value}
            onChange={field.onChange}
            problem={errors.location?.message}
          />
        )}
      />
      {(["arrive_after", "leave_by"] as const).map((name) => (
        <Controller
          key={name}
          control={control}
          name={name}
          render={({ field }) => (
            <TimeField
              label={LABELS[name]}
              step={15}
              value={field.value}
              onChange={field.onChange}
              problem={errors[name]?.message}
            />
          )}
        />
      ))}
      <Controller
        control={control}
        name="colour"
        render={({ field }) => (
          <ColourField label={LABELS.colour} value={field.value} onChange={field.onChange} />
        )}
      />
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
  );
}
