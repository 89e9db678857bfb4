import { fromKm, toKm } from "@routewright/web";
import { useDistanceUnit } from "../data/organisation.ts";
import type { BoundProps } from "./bound.ts";
import { NumberInput } from "./NumberInput.tsx";

/** Distance entered in the organisation's unit and kept in kilometres. */
export function DistanceInput(props: BoundProps) {
  const unit = useDistanceUnit();
  const asKept = { sign: unit, shown: (km: number) => fromKm(km, unit), kept: (n: number) => toKm(n, unit) };
  return <NumberInput {...props} unit={asKept} />;
}
