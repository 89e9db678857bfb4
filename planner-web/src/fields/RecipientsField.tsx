import { Autocomplete, Chip, TextField } from "@mui/material";
import { addressesOf, isEmail, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";

interface RecipientsFieldProps {
  label: string;
  /** Comma-separated addresses. */
  value: string;
  onChange: (value: string) => void;
  problem: string | null;
}

/** Several addresses; comma or space ends one. An invalid entry is marked and not added. */
export function RecipientsField({ label, value, onChange, problem }: RecipientsFieldProps): ReactNode {
  const [text, setText] = useState("");
  const invalid = text.trim() !== "" && !isEmail(text.trim());
  const [left, setLeft] = useState(false);
  const addresses = addressesOf(value);
  const add = (entry: string): void => {
    const trimmed = entry.trim();
    if (isEmail(trimmed)) {
      onChange([...addresses.filter((address) => address !== trimmed), trimmed].join(", "));
      setText("");
    } else setText(trimmed);
  };
  const shown = left && invalid ? texts.checks.emailShort : addresses.length === 0 ? problem : null;
  return (
    <Autocomplete
      multiple
      freeSolo
      sx={{ "& .MuiAutocomplete-input": { minWidth: "16px !important" } }}
      options={[]}
      value={addresses}
      inputValue={text}
      onInputChange={(_, next, reason) => {
        if (reason !== "input") return;
        setLeft(false);
        if (/[,\s]$/.test(next)) add(next.replace(/[,\s]+$/, ""));
        else setText(next);
      }}
      onChange={(_, next, reason) => {
        if (reason === "createOption") add(next.at(-1) ?? "");
        else onChange(next.join(", "));
      }}
      onBlur={() => {
        setLeft(true);
        if (text.trim() !== "") add(text);
      }}
      renderValue={(values, getItemProps) =>
        values.map((address, index) => {
          const { key, ...item } = getItemProps({ index });
          return <Chip key={key} {...item} label={address} color={isEmail(address) ? "default" : "error"} />;
        })
      }
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          error={shown !== null}
          helperText={shown}
          slotProps={{
            ...parameters.slotProps,
            htmlInput: { ...parameters.slotProps.htmlInput, "aria-label": label, inputMode: "email" },
          }}
        />
      )}
    />
  );
}
