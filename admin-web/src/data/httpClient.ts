import { HttpError } from "react-admin";
import { ApiError, type Method, type RequestOptions } from "@routewright/web";
import { keepError } from "./errors.ts";
import { adaptListQuery } from "./listQuery.ts";

/** A call of the signed-in user that answers parsed JSON and throws `ApiError`. */
export type Call = (path: string, options: RequestOptions) => Promise<unknown>;

/** What `ra-data-simple-rest` expects of an answer. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string;
  json: unknown;
}

interface Envelope {
  data: unknown[];
  page: number;
  per_page: number;
  total_count: number;
}

/**
 * The client under `ra-data-simple-rest`: list queries in the API's words, `PATCH` where the dialect says
 * `PUT`, and the paged envelope unwrapped into its rows and a `Content-Range` header.
 *
 * Throws `HttpError` with the API's description; refused fields are in `body.errors`, by their name.
 */
export function createHttpClient(call: Call): (url: string, options?: RequestInit) => Promise<Answer> {
  return async (url, options = {}) => {
    const method = options.method === "PUT" ? "PATCH" : ((options.method ?? "GET") as Method);
    const path = adaptUrl(url);
    const work = call(path, {
      method,
      body: typeof options.body === "string" ? (JSON.parse(options.body) as unknown) : undefined,
      signal: options.signal ?? undefined,
      quiet: true,
    });
    return unwrap(await inItsWords(`${method} ${path}`, work));
  };
}

/** A call whose refusal is kept in the admin error state and thrown in react-admin's words. */
export async function inItsWords<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    keepError(name, error);
    throw toHttpError(error);
  }
}

function adaptUrl(url: string): string {
  const at = url.indexOf("?");
  if (at < 0) return url;
  const query = adaptListQuery(new URLSearchParams(url.slice(at + 1))).toString();
  return query ? `${url.slice(0, at)}?${query}` : url.slice(0, at);
}

function unwrap(json: unknown): Answer {
  const headers = new Headers();
  if (isEnvelope(json)) {
    const first = (json.page - 1) * json.per_page;
    headers.set("Content-Range", `rows ${first}-${first + json.data.length}/${json.total_count}`);
    return { status: 200, headers, body: "", json: json.data };
  }
  if (Array.isArray(json)) headers.set("Content-Range", `rows 0-${json.length}/${json.length}`);
  return { status: 200, headers, body: "", json };
}

function isEnvelope(json: unknown): json is Envelope {
  return typeof json === "object" && json !== null && "total_count" in json && "data" in json;
}

/** The same refusal in react-admin's words; it puts `body.errors` at the inputs of these names. */
export function toHttpError(error: ApiError): HttpError {
  // The text is said besides: the form may not show the field that is meant.
  const errors =
    Object.keys(error.fields).length > 0
      ? { ...nested(error.fields), root: { serverError: error.message } }
      : undefined;
  return new HttpError(error.message, error.status, { description: error.message, code: error.code, errors });
}

/** `{"location.lat": "…"}` as `{location: {lat: "…"}}`: forms name the parts of a field as a tree. */
function nested(fields: Record<string, string>): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const [path, message] of Object.entries(fields)) {
    const names = path.split(".");
    const last = names.pop() ?? path;
    let branch = tree;
    for (const name of names) {
      const next = branch[name];
      branch =
        typeof next === "object" && next !== null ? (next as Record<string, unknown>) : (branch[name] = {});
    }
    branch[last] = message;
  }
  return tree;
}
