import { Box, Checkbox, FormControlLabel, TextField, Typography } from "@mui/material";
import { type ChecklistDefinition, type ChecklistField, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { PhotoPicker } from "../fields/PhotoPicker.tsx";
import { SignatureField } from "../fields/SignatureField.tsx";
import type { ChecklistDraft } from "./checklist.ts";

interface ChecklistInputsProps {
  definition: ChecklistDefinition;
  answers: ChecklistDraft;
  onChange: (answers: ChecklistDraft) => void;
}

/** Questions of the organisation before a route starts or ends. */
export function ChecklistInputs({ definition, answers, onChange }: ChecklistInputsProps): ReactNode {
  const fields = [...definition.fields].sort((a, b) => a.order - b.order);
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      <Typography variant="subtitle1">{definition.name || texts.runsheet.checklist}</Typography>
      {fields.map((field) => (
        <FieldInput
          key={field.id}
          field={field}
          answer={answers[field.id]}
          onChange={(answer) => onChange({ ...answers, [field.id]: answer })}
        />
      ))}
    </Box>
  );
}

interface FieldInputProps {
  field: ChecklistField;
  answer: string | Blob[] | undefined;
  onChange: (answer: string | Blob[]) => void;
}

function FieldInput({ field, answer, onChange }: FieldInputProps): ReactNode {
  const { label, type, required } = field;
  const text = typeof answer === "string" ? answer : "";
  const files = typeof answer === "object" ? answer : [];
  if (type === "checkbox") {
    return (
      <FormControlLabel
        control={<Checkbox checked={text === "true"} onChange={(_, checked) => onChange(String(checked))} />}
        label={required ? `${label} *` : label}
      />
    );
  }
  if (type === "image" || type === "images") {
    return <PhotoPicker photos={files} onChange={onChange} most={type === "image" ? 1 : 10} label={label} />;
  }
  if (type === "signature") {
    return <SignatureField label={label} onChange={(signed) => onChange(signed === null ? [] : [signed])} />;
  }
  const dated = type === "date" || type === "time";
  return (
    <TextField
      size="medium"
      label={label}
      required={required}
      type={dated ? type : "text"}
      multiline={type === "textarea"}
      minRows={type === "textarea" ? 2 : undefined}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      slotProps={dated ? { inputLabel: { shrink: true } } : {}}
    />
  );
}
