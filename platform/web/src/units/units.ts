import type { DistanceUnit, FuelConsumptionUnit, WeightUnit } from "../model/organisation.ts";

export const KM_PER_MILE = 1.609344;
export const KG_PER_POUND = 0.45359237;
/** Litres per 100 km times miles per UK gallon. */
export const L_PER_100_KM_MPG_UK = 282.481053;
/** Litres per 100 km times miles per US gallon. */
export const L_PER_100_KM_MPG_US = 235.214583;

/** A typed number; the decimal mark may be a comma, as many phones' keyboards have only that. */
export function decimalOf(text: string): number {
  return Number(text.replace(",", "."));
}

/** Kilometres in the organisation's distance unit. */
export function fromKm(km: number, unit: DistanceUnit): number {
  return unit === "mi" ? km / KM_PER_MILE : km;
}

/** A distance in the organisation's unit as kilometres. */
export function toKm(distance: number, unit: DistanceUnit): number {
  return unit === "mi" ? distance * KM_PER_MILE : distance;
}

export function fromMetres(metres: number, unit: DistanceUnit): number {
  return fromKm(metres / 1000, unit);
}

/** Grams in the organisation's weight unit. */
export function fromGrams(grams: number, unit: WeightUnit): number {
  const kg = grams / 1000;
  return unit === "lb" ? kg / KG_PER_POUND : kg;
}

export function toGrams(weight: number, unit: WeightUnit): number {
  return (unit === "lb" ? weight * KG_PER_POUND : weight) * 1000;
}

/** cm3 as m3. */
export function cubicMetres(cm3: number): number {
  return cm3 / 1e6;
}

/** Litres per 100 km in the organisation's unit, and back: the conversion is its own inverse. */
export function convertConsumption(value: number, unit: FuelConsumptionUnit): number {
  if (unit === "l_per_100_km" || value === 0) return value;
  return (unit === "mpg_uk" ? L_PER_100_KM_MPG_UK : L_PER_100_KM_MPG_US) / value;
}

export const CONSUMPTION_LABELS: Record<FuelConsumptionUnit, string> = {
  l_per_100_km: "l/100 km",
  mpg_uk: "mpg (UK)",
  mpg_us: "mpg (US)",
};

/** Litres of a gallon, where fuel is told in gallons. */
const GALLONS: Partial<Record<FuelConsumptionUnit, { litres: number; name: string }>> = {
  mpg_uk: { litres: 4.54609, name: "gal (UK)" },
  mpg_us: { litres: 3.785411784, name: "gal (US)" },
};

/** Litres in the unit that goes with the organisation's unit of consumption. */
export function fuelText(litres: number | null | undefined, unit: FuelConsumptionUnit): string {
  if (litres === null || litres === undefined) return "–";
  const gallon = GALLONS[unit];
  return gallon === undefined
    ? `${fixed(litres, 2)} l`
    : `${fixed(litres / gallon.litres, 2)} ${gallon.name}`;
}

/** A number with so many decimals; what rounds to nothing has no sign. */
export function fixed(value: number, decimals: number): string {
  return (Number(value.toFixed(decimals)) || 0).toFixed(decimals);
}

/** Metres with 2 decimals and the unit, for example `12.40 km`. */
export function distanceText(metres: number | null | undefined, unit: DistanceUnit): string {
  return metres === null || metres === undefined ? "–" : `${fixed(fromMetres(metres, unit), 2)} ${unit}`;
}

/** Seconds as `1 h 05 min`. */
export function durationText(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "–";
  const minutes = Math.round(Math.abs(seconds) / 60);
  const sign = seconds < 0 && minutes > 0 ? "−" : "";
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${sign}${minutes} min`;
  return `${sign}${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function weightText(grams: number | null | undefined, unit: WeightUnit): string {
  return grams === null || grams === undefined ? "–" : `${fixed(fromGrams(grams, unit), 2)} ${unit}`;
}
