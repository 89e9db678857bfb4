import { vi } from "vitest";

/** One call that the page made. */
export interface Asked {
  method: string;
  /** Below the API's base, without the query. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

type Answer = (asked: Asked) => unknown;

/**
 * The network of a test: answers `METHOD /path` with a value, or with what a function makes of the call, and notes
 * every call. What it does not know is refused with 404.
 */
export function answering(answers: Readonly<Record<string, unknown>>): Asked[] {
  const calls: Asked[] = [];
  vi.stubGlobal("fetch", (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input), "http://localhost");
    const path = url.pathname.replace(/^\/api/, "");
    const method = (input instanceof Request ? input.method : (init.method ?? "GET")).toUpperCase();
    const asked = {
      method,
      path,
      query: url.searchParams,
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null,
    };
    calls.push(asked);
    const known = answers[`${method} ${path}`];
    if (known === undefined) {
      const description = `Nothing is known of ${method} ${path}`;
      return Promise.resolve(
        Response.json({ status: 404, title: "404 Not Found", description }, { status: 404 }),
      );
    }
    return Promise.resolve(Response.json(typeof known === "function" ? (known as Answer)(asked) : known));
  });
  return calls;
}

/** A page of a list. */
export function pageOf(data: readonly unknown[]): object {
  return { data, page: 1, per_page: 300, total_pages: 1, total_count: data.length };
}
