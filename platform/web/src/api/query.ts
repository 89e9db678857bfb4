export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];
export type Query = Record<string, QueryValue>;

/** Query string with its question mark; lists are comma-joined, absent and empty values left out. */
export function queryString(query: Query | undefined): string {
  if (query === undefined) return "";
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    if (Array.isArray(value)) {
      if (value.length > 0) parameters.set(name, value.join(","));
    } else {
      parameters.set(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** Longest list of ids in one request. */
export const ID_CHUNK = 300;

export function chunks<T>(items: readonly T[], size: number = ID_CHUNK): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < items.length; start += size) result.push(items.slice(start, start + size));
  return result;
}
