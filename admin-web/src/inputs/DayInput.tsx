import { DayField, parseDay, texts } from "@routewright/web";
import { type BoundProps, useBound } from "./bound.ts";
import type { Check } from "./validators.ts";

const isDay: Check = (value) =>
  typeof value !== "string" || value === "" || parseDay(value) !== null ? undefined : texts.checks.day;

/** A day as its wire date; emptied is `null`. In filters `alwaysOn` is read by the list. */
export function DayInput(props: BoundProps & { alwaysOn?: boolean }) {
  const bound = useBound(props, isDay);
  return (
    <DayField
      {...bound.field}
      value={typeof bound.value === "string" ? bound.value : ""}
      onChange={(day) => bound.set(day === "" ? null : day)}
    />
  );
}
