import { Alert, TextField } from "@mui/material";
import { answer, messageOfError, quietApi, texts } from "@routewright/web";
import type { Schemas } from "@routewright/web/model";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { BooleanInput, SelectInput, TextInput } from "react-admin";
import { useWatch } from "react-hook-form";
import { Group, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { choices } from "../../resource/planning.ts";
import { needed, notBlank } from "../../inputs/validators.ts";

const PAUSE_MS = 300;

type Trial = Schemas["Trial"];
type Found = Schemas["FilenameMatch"];

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
    { source: "target", kind: "choice" },
    { source: "date_format", sortable: false },
    { source: "active", kind: "yesno" },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <SelectInput source="target" choices={choices(["job_import", "proof_file"])} validate={needed()} />
      </Row>
      <TextInput source="pattern" validate={needed()} helperText={texts.admin.filenameRegex.patternHelp} />
      <Row>
        <TextInput source="date_format" helperText={texts.admin.filenameRegex.dateFormatHelp} />
        <BooleanInput source="active" />
      </Row>
      <PatternTrial />
    </>
  ),
  defaults: () => ({ target: "job_import", active: true }),
};

/** What the server finds in a sample name: its patterns are of another kind than the browser's. */
function PatternTrial() {
  const [pattern, dateFormat] = useWatch({ name: ["pattern", "date_format"] }) as (
    string | null | undefined
  )[];
  const [name, setName] = useState("");
  const trial = useRested(JSON.stringify({ file_name: name, pattern, date_format: dateFormat }));
  const { data, error } = useQuery({
    queryKey: ["filename regex", trial],
    queryFn: () => answer(quietApi.POST("/filename_regex/test", { body: JSON.parse(trial) as Trial })),
    enabled: Boolean(name.trim() && pattern?.trim()),
    retry: false,
  });
  return (
    <Group title={texts.admin.filenameRegex.tryName}>
      <TextField
        label={texts.admin.filenameRegex.fileName}
        value={name}
        onChange={(event) => setName(event.target.value)}
        fullWidth
      />
      {error && <Alert severity="error">{messageOfError(error)}</Alert>}
      {data && !error && <Alert severity={data.matched ? "success" : "info"}>{said(data)}</Alert>}
    </Group>
  );
}

function said({ matched, groups, date }: Found): string {
  if (!matched) return texts.admin.filenameRegex.noMatch;
  const parts = Object.entries({ ...groups, ...(date && { date }) }).map(
    ([group, text]) => `${group}: ${text}`,
  );
  return parts.length > 0 ? parts.join(", ") : texts.admin.filenameRegex.matchWithoutGroups;
}

/** The value once it has stayed the same for a moment. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
