import { Autocomplete, TextField } from "@mui/material";
import { parseTimeOfDay, timeOfMinutes } from "@routewright/web";
import { type ReactNode, useMemo } from "react";

export interface TimeFieldProps {
  label: string;
  /** `HH:mm`, or what was typed while it is not a time. */
  value: string;
  onChange: (value: string) => void;
  /** Minutes between the offered times. */
  step: 5 | 15;
  problem?: string | undefined;
  disabled?: boolean;
}

/** A time of day: typed (`9:30`, `9:30 am`) or picked. */
export function TimeField({
  label,
  value,
  onChange,
  step,
  problem,
  disabled = false,
}: TimeFieldProps): ReactNode {
  const times = useMemo(
    () => Array.from({ length: 1440 / step }, (_, index) => timeOfMinutes(index * step)),
    [step],
  );
  return (
    <Autocomplete
      freeSolo
      disabled={disabled}
      options={times}
      inputValue={value}
      value={value}
      onInputChange={(_, text) => onChange(text)}
      onBlur={() => {
        const time = parseTimeOfDay(value);
        if (time !== null && time !== value) onChange(time);
      }}
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          label={label}
          placeholder="HH:mm"
          error={problem !== undefined}
          helperText={problem}
        />
      )}
    />
  );
}
