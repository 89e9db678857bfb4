/** What may be sent and read back as JSON. */
export type Fields = Record<string, unknown>;

/**
 * The fields of `next` whose value differs from `previous`: what a PATCH sends.
 * A field that is gone from `next` is not sent; an emptied one is sent as `null`, which clears it.
 */
export function changedFields(previous: Fields, next: Fields): Fields {
  const changed: Fields = {};
  for (const [name, value] of Object.entries(next)) {
    if (value === undefined) continue;
    if (!sameValue(previous[name] ?? null, value)) changed[name] = value;
  }
  return changed;
}

/** Deep equality of two JSON values; the order of object keys does not count. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const left = one as Fields;
  const right = other as Fields;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => sameValue(left[name] ?? null, right[name] ?? null));
}

/** The fields without those of the given names. */
export function without(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
