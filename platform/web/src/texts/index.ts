import { en } from "./en/index.ts";

/** All texts of both apps. A further language is one more catalogue of the same shape. */
export type Catalogue = typeof en;

export const texts: Catalogue = en;

/** Fills `{name}` places; of `{n:job|jobs}` the first word stands where `n` is one. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text
    .replace(/\{(\w+):([^|}]*)\|([^}]*)\}/g, (place, name: string, one: string, many: string) => {
      const count = values[name];
      return count === undefined ? place : Number(count) === 1 ? one : many;
    })
    .replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
