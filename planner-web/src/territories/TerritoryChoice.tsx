import { Autocomplete, TextField } from "@mui/material";
import type { ReactNode } from "react";

interface Named {
  id: number;
  name: string;
}

interface NamedChoiceProps {
  label: string;
  options: readonly Named[];
  value: readonly number[];
  onChange: (ids: number[]) => void;
  disabled?: boolean;
}

/** Several territories or groups, chosen by name. */
export function TerritoryChoice({
  label,
  options,
  value,
  onChange,
  disabled = false,
}: NamedChoiceProps): ReactNode {
  return (
    <Autocomplete<Named, true>
      multiple
      disableCloseOnSelect
      disabled={disabled}
      options={[...options]}
      // Ids that the list does not hold, for example deleted ones, are kept under their number.
      value={value.map((id) => options.find((option) => option.id === id) ?? { id, name: `#${id}` })}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(option, chosen) => option.id === chosen.id}
      onChange={(_, chosen) => onChange(chosen.map(({ id }) => id))}
      renderInput={(parameters) => <TextField {...parameters} label={label} />}
    />
  );
}
