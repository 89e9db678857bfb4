import { CONSUMPTION_LABELS, convertConsumption, texts } from "@routewright/web";
import { useConsumptionUnit } from "../data/organisation.ts";
import type { BoundProps } from "./bound.ts";
import { NumberInput } from "./NumberInput.tsx";
import { amount } from "./validators.ts";

/** Fuel consumption entered in the organisation's unit and kept in litres per 100 km. */
export function ConsumptionInput(props: BoundProps) {
  const unit = useConsumptionUnit();
  const convert = (consumption: number) => convertConsumption(consumption, unit);
  return (
    <NumberInput
      label={texts.admin.shared.fuelConsumption}
      {...props}
      check={amount}
      unit={{ sign: CONSUMPTION_LABELS[unit], shown: convert, kept: convert }}
    />
  );
}
