import { TextField } from "@mui/material";
import { type BoundProps, useBound } from "./bound.ts";

/** Time of day, `HH:mm`; an emptied field is `null`. Runs step by 5 minutes, jobs by 15. */
export function ClockInput({ stepMinutes = 5, ...props }: BoundProps & { stepMinutes?: number }) {
  const bound = useBound(props);
  const value = typeof bound.value === "string" ? bound.value.slice(0, 5) : "";
  return (
    <TextField
      id={bound.id}
      name={bound.name}
      type="time"
      label={bound.label}
      required={bound.required}
      disabled={props.disabled}
      value={value}
      onChange={(event) => bound.set(event.target.value || null)}
      onBlur={bound.blur}
      inputRef={bound.ref}
      error={bound.error !== undefined}
      helperText={bound.error ?? props.helperText ?? " "}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { step: stepMinutes * 60 } }}
      fullWidth
    />
  );
}
