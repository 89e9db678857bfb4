import { Autocomplete, TextField } from "@mui/material";
import { useState } from "react";
import { type BoundProps, useBound } from "./bound.ts";

/**
 * A list of short texts as chips; comma, space and Enter end an entry.
 * An entry that `check` refuses is not added, its text is shown as the error.
 */
export function WordsInput({
  check,
  joined = false,
  options = [],
  ...props
}: BoundProps & {
  check?: (entry: string) => string | undefined;
  /** The field holds one comma-joined text instead of a list. */
  joined?: boolean;
  options?: string[];
}) {
  const bound = useBound(props);
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState<string>();
  const words = toWords(bound.value);

  function store(next: string[]) {
    bound.set(joined ? next.join(",") || null : next);
  }
  function add(text: string): void {
    // A number may be written with spaces: what is valid as a whole is one entry.
    const whole = text.replace(/^[\s,]+|[\s,]+$/g, "");
    const one = check !== undefined && whole !== "" && check(whole) === undefined;
    const entries = one ? [whole] : whole.split(/[\s,]+/).filter(Boolean);
    const problem = entries.map((entry) => check?.(entry)).find(Boolean);
    setRefused(problem);
    if (problem) return setTyped(text.trim());
    setTyped("");
    if (entries.length > 0) store([...new Set([...words, ...entries])]);
  }

  return (
    <Autocomplete
      multiple
      freeSolo
      fullWidth
      options={options}
      value={words}
      inputValue={typed}
      onInputChange={(_event, text, cause) => {
        if (cause === "input" && /[\s,]$/.test(text)) add(text);
        else if (cause === "input") setTyped(text);
      }}
      onChange={(_event, next, cause) => {
        if (cause === "createOption") add(next.at(-1) ?? "");
        else store(next);
      }}
      onBlur={() => add(typed)}
      renderInput={(field) => (
        <TextField
          {...field}
          name={bound.name}
          label={bound.label}
          required={bound.required}
          error={refused !== undefined || bound.error !== undefined}
          helperText={refused ?? bound.error ?? props.helperText ?? " "}
        />
      )}
    />
  );
}

function toWords(value: unknown): string[] {
  if (Array.isArray(value)) return value as string[];
  return typeof value === "string"
    ? value
        .split(",")
        .map((word) => word.trim())
        .filter(Boolean)
    : [];
}
