import createClient from "openapi-fetch";
import { API_BASE } from "./base.ts";
import { respond } from "./request.ts";
import type { Method } from "./send.ts";
import type { paths } from "./schema.d.ts";
import { submit } from "./submit.ts";

/**
 * The calls of the API document by method and path, with their types. They go the same way as `request`: the access
 * levels are checked, an expired token is renewed, and a refusal is thrown as `ApiError`. `answer` takes the body out.
 */
export const api = client(false);

/** The same without the generic toasts: the caller shows its own. */
export const quietApi = client(true);

function client(quiet: boolean) {
  return createClient<paths>({
    baseUrl: API_BASE,
    querySerializer: { array: { style: "form", explode: false } },
    fetch: (call) => passOn(call, quiet),
  });
}

/** What a call answered. It has thrown already when it was refused. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

async function passOn(call: Request, quiet: boolean): Promise<Response> {
  const { pathname, search } = new URL(call.url);
  const body = await call.text();
  const path = pathname.slice(API_BASE.length) + search;
  const options = {
    method: call.method as Method,
    body: body === "" ? undefined : body,
    headers: Object.fromEntries(call.headers),
    signal: call.signal,
    quiet,
  };
  return submit(path, options, (marked) => respond(path, marked));
}
