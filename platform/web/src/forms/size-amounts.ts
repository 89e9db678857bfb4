import { parseSize } from "../units/size.ts";

/** What is typed for each measure of one alternative. */
export type SizeAmounts = Readonly<Record<string, string>>;

/** The measure of a number without a name. */
export const UNNAMED = "size";

/**
 * Amounts of a size or capacity, one entry for each of its alternatives and at least one; `null` when the text is none.
 * Where it `limits`, a bare `0` is no amount.
 */
export function amountsOf(text: string, limits: boolean): SizeAmounts[] | null {
  const plain = text.trim();
  if (plain === "" || (limits && plain === "0")) return [{}];
  const clauses = parseSize(plain);
  if (clauses === null) return null;
  return clauses.map((clause) =>
    Object.fromEntries(Object.entries(clause).map(([measure, amount]) => [measure, String(amount)])),
  );
}

/**
 * The text of what was typed, measures in the given order; alternatives without an amount are left out. What is no
 * number stays in the text, so that it is refused and not lost.
 */
export function sizeOfAmounts(amounts: readonly SizeAmounts[], order: readonly string[]): string {
  return amounts
    .map((alternative) =>
      order
        .map((measure) => [measure, (alternative[measure] ?? "").trim().replace(",", ".")] as const)
        .filter(([, amount]) => amount !== "")
        .map(([measure, amount]) => (measure === UNNAMED ? amount : `${measure}:${amount}`))
        .join("&"),
    )
    .filter((alternative) => alternative !== "")
    .join("|");
}

/** Whether a word can name a measure. */
export function isMeasure(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** The measures that sizes and capacities count in, in order; a bare number counts in none. */
export function measuresOf(sizes: Iterable<string | null | undefined>): string[] {
  const found = new Set<string>();
  for (const text of new Set(sizes)) {
    for (const clause of parseSize(text ?? "") ?? []) {
      for (const measure of Object.keys(clause)) if (measure !== UNNAMED) found.add(measure);
    }
  }
  return [...found].sort();
}
