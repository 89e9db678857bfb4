import { TextField } from "@mui/material";
import { useState } from "react";
import { type BoundProps, useBound } from "./bound.ts";
import { typedNumber } from "./typed-number.ts";
import { aNumber, type Check } from "./validators.ts";

/** A unit that is typed in and is not the one that is kept. */
interface OtherUnit {
  sign: string;
  /** What is kept, in that unit. */
  shown: (kept: number) => number;
  /** What was typed, as it is kept. */
  kept: (shown: number) => number;
}

interface Props extends BoundProps {
  unit?: OtherUnit;
  check?: Check;
}

/** A number, typed with a decimal point or comma in whatever language the browser has; emptied is `null`. */
export function NumberInput({ unit, check = aNumber, ...props }: Props) {
  const bound = useBound(props, check);
  // What is typed stays as it is until the field is left: "1," is on its way to "1,5".
  const [typed, setTyped] = useState<string>();

  function change(text: string) {
    setTyped(text);
    const value = typedNumber(text);
    bound.set(unit && typeof value === "number" ? rounded(unit.kept(value), 6) : value);
  }
  function stored(): string {
    if (typeof bound.value !== "number") return typeof bound.value === "string" ? bound.value : "";
    return String(unit ? rounded(unit.shown(bound.value), 2) : bound.value);
  }
  return (
    <TextField
      {...bound.field}
      label={unit ? `${bound.label} (${unit.sign})` : bound.label}
      value={typed ?? stored()}
      onChange={(event) => change(event.target.value)}
      onBlur={() => {
        setTyped(undefined);
        bound.blur();
      }}
      slotProps={{ htmlInput: { inputMode: "decimal" } }}
    />
  );
}

function rounded(value: number, places: number): number {
  return Number(value.toFixed(places));
}
