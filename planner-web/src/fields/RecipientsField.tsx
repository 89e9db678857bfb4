import { Autocomplete, Chip, TextField } from "@mui/material";
import { type ReactNode, useState } from "react";
import { entriesOf, type RecipientKind, takeEntries } from "./recipients.ts";

/** Nobody types here: the entries need no line beside them. */
const HIDDEN = { width: 0, minWidth: "0 !important", padding: "0 !important" };

interface RecipientsFieldProps {
  kind: RecipientKind;
  label: string;
  /** The label stands elsewhere, in the head of a table. */
  bare?: boolean;
  /** Comma-separated. */
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with the list as a whole. */
  problem?: string | null | undefined;
  disabled?: boolean;
}

/** Several addresses or numbers; comma or space ends one. An invalid entry is marked and not added. */
export function RecipientsField(props: RecipientsFieldProps): ReactNode {
  const { kind, label, bare = false, value, onChange, problem, disabled = false } = props;
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);
  const entries = entriesOf(value);
  const add = (typed: string): void => {
    const { list, rest } = takeEntries(value, typed, kind);
    setText(rest);
    setRefused(rest !== "");
    if (list !== value) onChange(list);
  };
  const shown = refused ? kind.problem : (problem ?? null);
  return (
    <Autocomplete
      multiple
      freeSolo
      disabled={disabled}
      disableClearable
      sx={{
        "& .MuiAutocomplete-input": disabled
          ? HIDDEN
          : { minWidth: `${text === "" ? 16 : 100}px !important` },
      }}
      options={[]}
      value={entries}
      inputValue={text}
      onInputChange={(_, next, reason) => {
        if (reason !== "input") return;
        if (/[,\s]$/.test(next)) add(next);
        else {
          setText(next);
          setRefused(false);
        }
      }}
      onChange={(_, next, reason) => {
        if (reason === "createOption") add(next.at(-1) ?? "");
        else onChange(next.join(", "));
      }}
      onBlur={() => add(text)}
      renderValue={(values, getItemProps) =>
        values.map((entry, index) => {
          const { key, ...item } = getItemProps({ index });
          return <Chip key={key} {...item} label={entry} color={kind.isValid(entry) ? "default" : "error"} />;
        })
      }
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          label={bare ? undefined : label}
          error={shown !== null}
          helperText={shown}
          slotProps={{
            ...parameters.slotProps,
            htmlInput: {
              ...parameters.slotProps.htmlInput,
              ...(bare ? { "aria-label": label } : {}),
              inputMode: kind.inputMode,
            },
          }}
        />
      )}
    />
  );
}
