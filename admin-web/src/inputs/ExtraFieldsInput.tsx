import { texts, fill } from "@routewright/web";
import AddIcon from "@mui/icons-material/Add";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import { Box, Button, FormHelperText, IconButton, TextField, Typography } from "@mui/material";
import { useState } from "react";
import { type BoundProps, useBound } from "./bound.ts";

type Entry = [name: string, value: string];

/** Free name and value pairs of a record; names are not empty and occur once. */
export function ExtraFieldsInput(props: BoundProps) {
  const bound = useBound({ ...props, validate: props.validate });
  const [entries, setEntries] = useState<Entry[]>(() =>
    Object.entries((bound.value ?? {}) as Record<string, string>),
  );
  const problem = namesProblem(entries);

  function change(next: Entry[]) {
    setEntries(next);
    if (!namesProblem(next)) bound.set(Object.fromEntries(next));
  }
  function edit(index: number, entry: Entry) {
    change(entries.map((old, at) => (at === index ? entry : old)));
  }

  return (
    <Box sx={{ width: "100%", mb: 2 }}>
      <Typography variant="subtitle2">{bound.label}</Typography>
      {entries.map(([name, value], index) => (
        <Box key={index} sx={{ display: "flex", gap: 1, mt: 1 }}>
          <TextField
            label={texts.admin.shared.name}
            sx={{ flex: 1, minWidth: 0 }}
            value={name}
            onChange={(event) => edit(index, [event.target.value, value])}
          />
          <TextField
            label={texts.admin.shared.value}
            value={value}
            sx={{ flex: 2, minWidth: 0 }}
            onChange={(event) => edit(index, [name, event.target.value])}
          />
          <IconButton
            aria-label={fill(texts.admin.shared.removeOne, { name: name || texts.admin.shared.field })}
            onClick={() => change(entries.filter((_entry, at) => at !== index))}
          >
            <DeleteIcon />
          </IconButton>
        </Box>
      ))}
      {(problem ?? bound.error) && <FormHelperText error>{problem ?? bound.error}</FormHelperText>}
      <Button startIcon={<AddIcon />} size="small" onClick={() => setEntries([...entries, ["", ""]])}>
        {texts.admin.shared.addField}
      </Button>
    </Box>
  );
}

function namesProblem(entries: Entry[]): string | undefined {
  const names = entries.map(([name]) => name.trim());
  if (names.includes("")) return texts.admin.shared.fieldNeedsName;
  return new Set(names).size < names.length ? texts.admin.shared.fieldNamesUnique : undefined;
}
