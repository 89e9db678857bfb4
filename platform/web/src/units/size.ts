import { texts } from "../texts/index.ts";

/** One alternative of a size or capacity: measure name to amount. */
export type SizeClause = Record<string, number>;

const PART = /^(?:([A-Za-z_][A-Za-z0-9_]*)\s*:\s*)?(\d+(?:\.\d{1,3})?)$/;

/**
 * Clauses of `pallets:2&weight:350|size:5`: `|` separates alternatives, `&` joins parts, a part without
 * name counts as `size`. `null` when the text is not a size.
 */
export function parseSize(text: string): SizeClause[] | null {
  const clauses: SizeClause[] = [];
  for (const alternative of text.split("|")) {
    const clause: SizeClause = {};
    for (const part of alternative.split("&")) {
      const match = PART.exec(part.trim());
      if (match === null) return null;
      const name = match[1] ?? "size";
      clause[name] = (clause[name] ?? 0) + Number(match[2]);
    }
    clauses.push(clause);
  }
  return clauses;
}

/** Sum of the first clauses of sizes, per measure. */
export function sumSizes(sizes: readonly (string | null)[]): SizeClause {
  const sum: SizeClause = {};
  for (const size of sizes) {
    const clause = size === null ? undefined : parseSize(size)?.[0];
    for (const [name, amount] of Object.entries(clause ?? {})) sum[name] = (sum[name] ?? 0) + amount;
  }
  return sum;
}

/** `boxes 12 · weight 80.5`. */
export function sizeText(clause: SizeClause): string {
  const parts = Object.entries(clause).map(([name, amount]) => `${name} ${Number(amount.toFixed(3))}`);
  return parts.length === 0 ? "–" : parts.join(" · ");
}

/** A size or capacity as people read it: `boxes 3 · weight 12`, alternatives joined by "or". */
export function sizeWords(text: string | null): string {
  if (text === null || text.trim() === "") return "";
  const clauses = parseSize(text);
  if (clauses === null) return text;
  const words = clauses.map((clause) => {
    const parts = Object.keys(clause);
    // A number alone needs no name.
    return parts.length === 1 && parts[0] === "size" ? String(clause["size"]) : sizeText(clause);
  });
  return words.join(` ${texts.common.or} `);
}
