import { TextField } from "@mui/material";
import { minutesOf, parseTimeOfDay, texts, timeOfMinutes } from "@routewright/web";
import { useState } from "react";
import type { Check } from "./validators.ts";
import { type BoundProps, useBound } from "./bound.ts";

const isClock: Check = (value) =>
  typeof value !== "string" || parseTimeOfDay(value) !== null ? undefined : texts.checks.time;

/**
 * Time of day as `HH:mm`, typed in any usual form; an emptied field is `null`. The arrow keys go by a step:
 * 5 minutes for runs, 15 for jobs.
 */
export function ClockInput({ stepMinutes = 5, ...props }: BoundProps & { stepMinutes?: number }) {
  const bound = useBound(props, isClock);
  const [typed, setTyped] = useState<string>();
  const value = typeof bound.value === "string" ? bound.value.slice(0, 5) : "";

  function leave(): void {
    if (typed !== undefined) bound.set(typed.trim() === "" ? null : (parseTimeOfDay(typed) ?? typed));
    setTyped(undefined);
    bound.blur();
  }
  function step(direction: 1 | -1): void {
    const now = parseTimeOfDay(typed ?? value);
    const minutes = now === null ? 9 * 60 : minutesOf(now);
    setTyped(undefined);
    bound.set(timeOfMinutes((Math.round(minutes / stepMinutes) + direction) * stepMinutes));
  }
  return (
    <TextField
      {...bound.field}
      placeholder="HH:mm"
      value={typed ?? value}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Enter") leave();
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        step(event.key === "ArrowUp" ? 1 : -1);
      }}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { inputMode: "numeric" } }}
    />
  );
}
