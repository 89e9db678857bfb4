import { DayField, momentOf, parseWallClock, texts, wallClock } from "@routewright/web";
import { useTimezone } from "../data/organisation.ts";
import { type BoundProps, useBound } from "./bound.ts";
import type { Check } from "./validators.ts";

const isMoment: Check = (value) =>
  typeof value !== "string" || value === "" || !Number.isNaN(Date.parse(value))
    ? undefined
    : texts.checks.moment;

/** Date and time, entered in the organisation's timezone and kept as ISO 8601 UTC; emptied is `null`. */
export function MomentInput(props: BoundProps) {
  const bound = useBound(props, isMoment);
  const timezone = useTimezone();
  const stored = typeof bound.value === "string" ? bound.value : "";
  return (
    <DayField
      withTime
      {...bound.field}
      value={Number.isNaN(Date.parse(stored)) ? stored : wallClock(stored, timezone)}
      onChange={(typed) => {
        if (typed === "") bound.set(null);
        else bound.set(parseWallClock(typed) === null ? typed : momentOf(typed, timezone));
      }}
      helperText={bound.error ?? props.helperText ?? timezone}
    />
  );
}
