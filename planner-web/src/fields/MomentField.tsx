import { DayField, momentOf, parseWallClock, wallClock } from "@routewright/web";
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
    <DayField
      withTime
      label={label}
      value={wallClock(value, zone)}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem}
      onChange={(typed) => {
        if (typed === "") onChange(null);
        else if (parseWallClock(typed) !== null) onChange(momentOf(typed, zone));
      }}
    />
  );
}
