import { decimalOf } from "@routewright/web";

/** Whether a comma may be meant as the decimal mark or as the mark of thousands: `1,234`. */
export function isAmbiguous(text: string): boolean {
  return /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text.trim());
}

/** The number that was typed, with a point or a comma; nothing for nothing, and the text itself where it is no number. */
export function typedNumber(text: string): number | string | null {
  if (text.trim() === "") return null;
  const value = decimalOf(text.trim());
  return Number.isFinite(value) && !isAmbiguous(text) ? value : text;
}
