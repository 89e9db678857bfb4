import { API_BASE, apiUrl } from "./base.ts";
import { ApiError } from "./error.ts";
import { type Query, queryString } from "./query.ts";
import { found, lost } from "../feedback/connection.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Sending {
  method?: Method;
  query?: Query;
  /** Sent as JSON, except `FormData`, files and text, which are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether it outlives the page. */
  keepalive?: boolean;
}

/** Sends one request and returns the answer when it is a success; everything else is an `ApiError`. */
export async function send(path: string, sending: Sending = {}): Promise<Response> {
  const raw =
    sending.body instanceof FormData || sending.body instanceof Blob || typeof sending.body === "string";
  const headers: Record<string, string> = { ...sending.headers };
  if (sending.body !== undefined && !raw) headers["Content-Type"] = "application/json";
  const url = apiUrl(path);
  const own = url.startsWith(API_BASE);
  let response: Response;
  try {
    response = await fetch(url + queryString(sending.query), {
      method: sending.method ?? "GET",
      headers,
      body: bodyOf(sending.body, raw),
      signal: sending.signal ?? null,
      keepalive: sending.keepalive ?? false,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (own) lost("network");
    throw new ApiError(0, null);
  }
  if (own) found("network");
  if (response.ok) return response;
  const body = await errorJson(response);
  throw new ApiError(response.status, body, response.statusText, retryAfter(response));
}

/** Seconds; the header may hold a date, which the product never sends. */
function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("Retry-After") ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

function bodyOf(body: unknown, raw: boolean): BodyInit | null {
  if (body === undefined) return null;
  return raw ? (body as FormData | Blob | string) : JSON.stringify(body);
}

/** Error answers are JSON also where the success is a file. */
async function errorJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
