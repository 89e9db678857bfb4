import { asText } from "./value.ts";

/** Most rows that one list answer may carry. */
export const MOST_PER_PAGE = 300;

/** Query parameters that come from the dashboard's own list state and are already in the API's words. */
type Filter = Record<string, unknown>;

/**
 * Turns the query of the simple REST dialect (`range=[0,24]&sort=["name","ASC"]&filter={"search":"x"}`)
 * into the API's (`page=1&per_page=25&sort_by=name&sort_order=asc&search=x`).
 *
 * Filter values: lists are comma-joined, empty values are left out.
 */
export function adaptListQuery(query: URLSearchParams): URLSearchParams {
  const adapted = new URLSearchParams();
  const [first, last] = readList<number>(query.get("range"));
  if (first !== undefined && last !== undefined) {
    const perPage = last - first + 1;
    adapted.set("page", String(Math.floor(first / perPage) + 1));
    adapted.set("per_page", String(perPage));
  }
  const [column, order] = readList<string>(query.get("sort"));
  // `id` is react-admin's word for no particular order: the API then answers newest first.
  if (column && order && column !== "id") {
    adapted.set("sort_by", column);
    adapted.set("sort_order", order.toLowerCase());
  }
  const filter = JSON.parse(query.get("filter") ?? "{}") as Filter | undefined;
  for (const [name, value] of Object.entries(filter ?? {})) appendFilter(adapted, name, value);
  for (const [name, value] of query) {
    if (!["range", "sort", "filter", "embed"].includes(name)) adapted.append(name, value);
  }
  return adapted;
}

function appendFilter(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null || value === "") return;
  if (Array.isArray(value)) {
    if (value.length > 0) query.set(name, value.join(","));
    return;
  }
  query.set(name, asText(value));
}

function readList<T>(text: string | null): T[] {
  return text ? (JSON.parse(text) as T[]) : [];
}
