import { TextField } from "@mui/material";
import { momentOf, wallClock } from "@routewright/web";
import { useTimezone } from "../data/organisation.ts";
import { type BoundProps, useBound } from "./bound.ts";

/** Date and time, entered in the organisation's timezone and kept as ISO 8601 UTC; emptied is `null`. */
export function MomentInput(props: BoundProps) {
  const bound = useBound(props);
  const timezone = useTimezone();
  const value = typeof bound.value === "string" ? wallClock(bound.value, timezone) : "";
  return (
    <TextField
      id={bound.id}
      name={bound.name}
      type="datetime-local"
      label={bound.label}
      required={bound.required}
      disabled={props.disabled}
      value={value}
      onChange={(event) => bound.set(event.target.value ? momentOf(event.target.value, timezone) : null)}
      onBlur={bound.blur}
      inputRef={bound.ref}
      error={bound.error !== undefined}
      helperText={bound.error ?? props.helperText ?? timezone}
      slotProps={{ inputLabel: { shrink: true } }}
      fullWidth
    />
  );
}
