import { Box, MenuItem, TextField } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import type { FileContent, ReadingChoice } from "./read-file.ts";

interface ReadingOptionsProps {
  file: FileContent;
  busy: boolean;
  /** The file is to be read again. */
  onChange: (choice: ReadingChoice) => void;
}

/** How a CSV file was read, to be changed where it was not what the file meant; the rows beneath follow. */
export function ReadingOptions({ file, busy, onChange }: ReadingOptionsProps): ReactNode {
  const { encoding, delimiter } = file;
  if (encoding === null || delimiter === null) return null;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
      <Choice
        label={texts.imports.encoding}
        value={encoding}
        options={texts.imports.encodings}
        disabled={busy}
        onChange={(chosen) => onChange({ encoding: chosen, delimiter })}
      />
      <Choice
        label={texts.imports.delimiter}
        value={delimiter}
        options={texts.imports.delimiters}
        disabled={busy}
        onChange={(chosen) => onChange({ encoding, delimiter: chosen })}
      />
    </Box>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: Record<string, string>;
  disabled: boolean;
  onChange: (value: string) => void;
}

function Choice({ label, value, options, disabled, onChange }: ChoiceProps): ReactNode {
  const values = Object.keys(options);
  const offered = values.includes(value) ? values : [value, ...values];
  return (
    <TextField
      select
      label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      sx={{ flex: "1 1 180px", maxWidth: 280 }}
    >
      {offered.map((option) => (
        <MenuItem key={option} value={option}>
          {options[option] ?? option}
        </MenuItem>
      ))}
    </TextField>
  );
}
