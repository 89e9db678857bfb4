import { parseSize, type SizeClause } from "@routewright/web";

/** What was typed of each measure. */
export type Typed = Readonly<Record<string, string>>;

/** What there is to hand over of a size: its first alternative. */
export function plannedOf(size: string | null): SizeClause {
  return (size === null ? undefined : parseSize(size)?.[0]) ?? {};
}

/** The amount that was typed; `null` when it is no amount, or more than was planned. */
export function amountOf(text: string, planned: number): number | null {
  const plain = text.trim().replace(",", ".");
  if (!/^\d+(\.\d{1,3})?$/.test(plain)) return null;
  return Number(plain) > planned ? null : Number(plain);
}

/** Measures whose amount cannot stay as it is. */
export function wrongAmounts(planned: SizeClause, typed: Typed): string[] {
  return Object.entries(planned)
    .filter(([measure, amount]) => amountOf(typed[measure] ?? String(amount), amount) === null)
    .map(([measure]) => measure);
}

/** What was delivered, in the notation of sizes; `null` when it was all, or nothing that can be said. */
export function deliveredSize(planned: SizeClause, typed: Typed): string | null {
  if (wrongAmounts(planned, typed).length > 0) return null;
  const amounts = Object.entries(planned).map(
    ([measure, amount]) => [measure, amountOf(typed[measure] ?? String(amount), amount), amount] as const,
  );
  if (amounts.every(([, delivered, amount]) => delivered === amount)) return null;
  return amounts
    .map(([measure, delivered]) => (measure === "size" ? String(delivered) : `${measure}:${delivered}`))
    .join("&");
}

/** What a recorded amount says, for the form that corrects it. */
export function typedOf(size: unknown): Typed {
  if (typeof size !== "string") return {};
  return Object.fromEntries(
    Object.entries(plannedOf(size)).map(([measure, amount]) => [measure, String(amount)]),
  );
}
