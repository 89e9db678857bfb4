import { texts } from "@routewright/web";
import type { Column } from "../data/noun.ts";

/** Of the fields that have one of their own; the others are called as on the wire. */
const LABELS: Record<string, string | undefined> = texts.admin.fields;

/** Label of a field, from its name unless it has one of its own. */
export function fieldLabel(source: string): string {
  const known = LABELS[source];
  if (known) return known;
  // Of a part of a field its own name is enough: `conditions.operator` is the operator.
  const name = source.split(".").at(-1) ?? source;
  return LABELS[name] ?? sentenceCase(name);
}

/** `route_end` as `Route end`. */
export function sentenceCase(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Head of a column. */
export function columnLabel(column: Column): string {
  return column.label ?? fieldLabel(column.source);
}
