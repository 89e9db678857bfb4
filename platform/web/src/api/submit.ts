import { newId } from "../units/ids.ts";
import { ApiError } from "./error.ts";
import { queryString } from "./query.ts";
import type { Sending } from "./send.ts";

/** Calls that do something anew each time, or whose answer belongs to nobody else. */
const ANEW = /^\/(auth|gefco|optimise|reset-password)\b|^\/users\/(login|me|register)\b|^\/runs\/dispatch\b/;

/** Keys of submits that were not answered yet, by what they ask for. */
const unanswered = new Map<string, string>();

/**
 * Sends a creating POST under an `Idempotency-Key`. The same submit again, by a double click or because no answer
 * came, has the same key: the server does it once and answers the same.
 */
export async function submit<T, Options extends Sending>(
  path: string,
  options: Options,
  work: (options: Options) => Promise<T>,
): Promise<T> {
  const asked = whatIsAsked(path, options);
  if (asked === null) return work(options);
  const key = unanswered.get(asked) ?? newId();
  unanswered.set(asked, key);
  try {
    const done = await work({ ...options, headers: { ...options.headers, "Idempotency-Key": key } });
    unanswered.delete(asked);
    return done;
  } catch (error) {
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (refused) unanswered.delete(asked);
    throw error;
  }
}

/** The submit as a text; `null` for calls without a key: files are not compared. */
function whatIsAsked(path: string, { method, query, body }: Sending): string | null {
  if (method !== "POST" || body instanceof FormData || body instanceof Blob || ANEW.test(path)) return null;
  return `${path}${queryString(query)} ${typeof body === "string" ? body : JSON.stringify(body ?? null)}`;
}
