import type { Schemas } from "../model/schemas.ts";
import { texts } from "../texts/index.ts";
import { fixed, fromKm, KM_PER_MILE } from "../units/units.ts";
import type { DistanceUnit } from "../model/organisation.ts";

/** A run's bill beside what it would be charged now. */
export type Billing = Schemas["RunBilling"];
export type Charge = Schemas["RunCharge"];

/** One part of what is charged, as shown. */
export interface Part {
  name: string;
  quantity: string;
  rate: string;
  amount: string;
}

/** An amount with its two decimals; a dash for none. */
export function amountText(amount: number | null | undefined): string {
  return amount === null || amount === undefined ? "–" : fixed(amount, 2);
}

/** The parts of a charge with quantities and rates in the organisation's unit of distance. */
export function partsOf(charge: Charge, unit: DistanceUnit): Part[] {
  const { parts } = texts.bills;
  const perUnit = charge.cost_per_km === null ? null : charge.cost_per_km * (unit === "mi" ? KM_PER_MILE : 1);
  const rate = (value: number | null): string => (value === null ? "–" : fixed(value, 4));
  return [
    {
      name: parts.run,
      quantity: "1",
      rate: rate(charge.cost_per_run),
      amount: amountText(charge.run_amount),
    },
    {
      name: parts.km,
      quantity: `${fixed(fromKm(charge.km, unit), 2)} ${unit}`,
      rate: rate(perUnit),
      amount: amountText(charge.km_amount),
    },
    {
      name: parts.hours,
      quantity: `${fixed(charge.hours, 2)} h`,
      rate: rate(charge.cost_per_hour),
      amount: amountText(charge.hour_amount),
    },
    {
      name: parts.drops,
      quantity: String(charge.drops),
      rate: rate(charge.cost_per_drop),
      amount: amountText(charge.drop_amount),
    },
  ];
}

/** A value of a difference, as shown. */
export function valueText(field: string, value: unknown): string {
  if (typeof value === "number") {
    if (field === "drops" || field === "stops") return String(value);
    return fixed(value, field.startsWith("cost_per") ? 4 : 2);
  }
  if (typeof value !== "string") return "–";
  const named: Record<string, string | undefined> = field === "rate_source" ? texts.bills.rateSources : {};
  return named[value] ?? value;
}
