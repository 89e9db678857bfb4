import { texts } from "@routewright/web";
import { Alert, TextField } from "@mui/material";
import { useState } from "react";
import { BooleanInput, SelectInput, TextInput } from "react-admin";
import { useWatch } from "react-hook-form";
import { Group, Row } from "../inputs/index.ts";
import { levelsOf, type Noun } from "../resource/noun.ts";
import { choices } from "../resource/planning.ts";
import { needed, notBlank, regularExpression } from "../validators.ts";

/** Patterns that say from its name where an uploaded file belongs. */
export const filenameRegex: Noun = {
  name: "database/filename_regex",
  path: "filename_regex",
  ...texts.admin.nouns.filenameRegex,
  levels: levelsOf("filename_regex"),
  representation: "name",
  columns: [
    { source: "name" },
    { source: "pattern", sortable: false },
    { source: "target", sortable: false },
    { source: "date_format", sortable: false },
    { source: "active", kind: "yesno", sortable: false },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <SelectInput source="target" choices={choices(["job_import", "proof_file"])} validate={needed()} />
      </Row>
      <TextInput
        source="pattern"
        validate={[needed(), regularExpression]}
        helperText={texts.admin.filenameRegex.patternHelp}
      />
      <Row>
        <TextInput source="date_format" helperText={texts.admin.filenameRegex.dateFormatHelp} />
        <BooleanInput source="active" />
      </Row>
      <PatternTrial />
    </>
  ),
  defaults: () => ({ target: "job_import", active: true }),
};

/** Shows what the pattern finds in a sample name. */
function PatternTrial() {
  const pattern = useWatch<{ pattern?: string }>({ name: "pattern" });
  const [name, setName] = useState("");
  return (
    <Group title={texts.admin.filenameRegex.tryName}>
      <TextField
        label={texts.admin.filenameRegex.fileName}
        value={name}
        onChange={(event) => setName(event.target.value)}
        fullWidth
      />
      {name && pattern && (
        <Alert severity={found(pattern, name) ? "success" : "info"}>
          {found(pattern, name) ?? texts.admin.filenameRegex.noMatch}
        </Alert>
      )}
    </Group>
  );
}

/** What the named groups hold for this name, or nothing when the pattern does not match. */
export function found(pattern: string, name: string): string | undefined {
  try {
    const match = new RegExp(pattern.replaceAll("(?P<", "(?<")).exec(name);
    if (!match) return undefined;
    const groups = Object.entries(match.groups ?? {}).map(([group, text]) => `${group}: ${text}`);
    return groups.length > 0 ? groups.join(", ") : texts.admin.filenameRegex.matchWithoutGroups;
  } catch {
    return undefined;
  }
}
