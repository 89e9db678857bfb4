import AddIcon from "@mui/icons-material/Add";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import { Box, Button, IconButton, TextField, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";

export interface ExtraField {
  name: string;
  value: string;
}

export interface ExtraFieldsEditorProps {
  fields: readonly ExtraField[];
  onChange: (fields: ExtraField[]) => void;
  /** Problem of each row. */
  problems?: readonly (string | undefined)[];
}

/** What is wrong with a row's name: empty, or the same as an earlier one. */
export function extraFieldProblems(fields: readonly ExtraField[]): (string | undefined)[] {
  return fields.map(({ name }, index) => {
    if (name.trim() === "") return texts.checks.fieldName;
    const earlier = fields.slice(0, index).some((other) => other.name.trim() === name.trim());
    return earlier ? texts.checks.fieldNameTaken : undefined;
  });
}

export function ExtraFieldsEditor({ fields, onChange, problems = [] }: ExtraFieldsEditorProps): ReactNode {
  const change = (index: number, part: Partial<ExtraField>): void =>
    onChange(fields.map((field, at) => (at === index ? { ...field, ...part } : field)));
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Typography variant="subtitle2">{texts.jobs.extraFields}</Typography>
      {fields.map((field, index) => (
        <Box key={index} sx={{ display: "flex", gap: 1, alignItems: "flex-start" }}>
          <TextField
            label={texts.jobs.fieldName}
            value={field.name}
            onChange={(event) => change(index, { name: event.target.value })}
            error={problems[index] !== undefined}
            helperText={problems[index]}
          />
          <TextField
            label={texts.jobs.fieldValue}
            value={field.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <IconButton
            aria-label={`${texts.common.remove} ${field.name}`}
            onClick={() => onChange(fields.filter((_, at) => at !== index))}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Box>
      ))}
      <Button
        startIcon={<AddIcon />}
        sx={{ justifySelf: "start" }}
        onClick={() => onChange([...fields, { name: "", value: "" }])}
      >
        {texts.jobs.addField}
      </Button>
    </Box>
  );
}
