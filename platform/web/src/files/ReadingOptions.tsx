import { Box, MenuItem, TextField } from "@mui/material";
import type { ReactNode } from "react";
import { fill, texts } from "../texts/index.ts";
import type { FileContent, FileSheet, ReadingChoice } from "./read-file.ts";

/** Rows among which the headers can be chosen. */
const HEADING_ROWS = 20;

export interface ReadingOptionsProps {
  file: Pick<FileContent, "encoding" | "delimiter" | "sheet" | "sheets" | "headingRow">;
  busy: boolean;
  /** The file is to be read again. */
  onChange: (choice: ReadingChoice) => void;
}

/** How a file was read, to be changed where it was not what the file meant; the rows beneath follow. */
export function ReadingOptions({ file, busy, onChange }: ReadingOptionsProps): ReactNode {
  const { encoding, delimiter, sheet, sheets, headingRow } = file;
  const chosen: ReadingChoice = {
    ...(encoding !== null && { encoding }),
    ...(delimiter !== null && { delimiter }),
    ...(sheet !== null && { sheet }),
  };
  const rows = Array.from({ length: HEADING_ROWS }, (_, at) => String(at + 1));
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
      {encoding !== null && (
        <Choice
          label={texts.imports.encoding}
          value={encoding}
          options={texts.imports.encodings}
          disabled={busy}
          onChange={(value) => onChange({ ...chosen, encoding: value })}
        />
      )}
      {delimiter !== null && (
        <Choice
          label={texts.imports.delimiter}
          value={delimiter}
          options={texts.imports.delimiters}
          disabled={busy}
          onChange={(value) => onChange({ ...chosen, delimiter: value })}
        />
      )}
      {sheet !== null && sheets.length > 1 && (
        <Choice
          label={texts.imports.sheet}
          value={sheet}
          options={Object.fromEntries(sheets.map((one) => [one.name, sheetLabel(one)]))}
          disabled={busy}
          onChange={(value) => onChange({ sheet: value })}
        />
      )}
      <Choice
        label={texts.imports.headingRow}
        value={String(headingRow)}
        options={Object.fromEntries(rows.map((row) => [row, fill(texts.imports.headingRowAt, { row })]))}
        disabled={busy}
        onChange={(value) => onChange({ ...chosen, heading_row: Number(value) })}
      />
    </Box>
  );
}

function sheetLabel({ name, rows }: FileSheet): string {
  return rows === null
    ? fill(texts.imports.sheetUnread, { name })
    : fill(texts.imports.sheetRows, { name, n: rows });
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
