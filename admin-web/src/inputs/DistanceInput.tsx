import { TextField } from "@mui/material";
import { fromKm, toKm } from "@routewright/web";
import { useState } from "react";
import { useDistanceUnit } from "../data/organisation.ts";
import { type BoundProps, useBound } from "./bound.ts";

/** Distance entered in the organisation's unit and kept in kilometres; emptied is `null`. */
export function DistanceInput(props: BoundProps) {
  const bound = useBound(props);
  const unit = useDistanceUnit();
  const [typed, setTyped] = useState<string>();
  const stored = typeof bound.value === "number" ? String(round(fromKm(bound.value, unit))) : "";

  function change(text: string) {
    setTyped(text);
    if (text.trim() === "") bound.set(null);
    else bound.set(Number.isNaN(Number(text)) ? text : round(toKm(Number(text), unit), 4));
  }
  return (
    <TextField
      id={bound.id}
      name={bound.name}
      label={`${bound.label} (${unit})`}
      required={bound.required}
      disabled={props.disabled}
      value={typed ?? (typeof bound.value === "string" ? bound.value : stored)}
      onChange={(event) => change(event.target.value)}
      onBlur={bound.blur}
      inputRef={bound.ref}
      error={bound.error !== undefined}
      helperText={bound.error ?? props.helperText ?? " "}
      slotProps={{ htmlInput: { inputMode: "decimal" } }}
      fullWidth
    />
  );
}

function round(value: number, places = 2): number {
  const scale = 10 ** places;
  return Math.round(value * scale) / scale;
}
