import { TextField } from "@mui/material";
import { momentOf, wallClock } from "@routewright/web";
import type { ReactNode } from "react";

export interface MomentFieldProps {
  label: string;
  /** ISO 8601 UTC. */
  value: string | null;
  onChange: (value: string | null) => void;
  zone: string | null | undefined;
  problem?: string | undefined;
  disabled?: boolean;
}

/** A date and time, typed in the organisation's timezone. */
export function MomentField({
  label,
  value,
  onChange,
  zone,
  problem,
  disabled = false,
}: MomentFieldProps): ReactNode {
  return (
    <TextField
      type="datetime-local"
      label={label}
      value={wallClock(value, zone)}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem}
      onChange={(event) => onChange(event.target.value === "" ? null : momentOf(event.target.value, zone))}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { step: 300 } }}
    />
  );
}
