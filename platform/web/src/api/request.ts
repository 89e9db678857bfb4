import { mayCall } from "../access/paths.ts";
import { toastError, toastSuccess } from "../feedback/toasts.ts";
import { renewToken } from "../session/renew.ts";
import { session } from "../session/store.ts";
import { endSession } from "../session/sign-out.ts";
import { ApiError, notAuthorised } from "./error.ts";
import { chunks, type Query } from "./query.ts";
import { type Sending, send } from "./send.ts";
import { submit } from "./submit.ts";
import { successText } from "./success-text.ts";
import { beginWrite } from "./writes.ts";
import type { Page } from "../model/common.ts";

export interface RequestOptions extends Sending {
  /** No generic toast, neither for success nor for failure: the caller shows its own. */
  quiet?: boolean;
  /** Codes of refusals that the caller asks the user about, instead of a toast. */
  asks?: readonly string[];
}

/**
 * A call of the signed-in user. Checks the user's access levels before sending, renews the token once on
 * 'Incorrect or expired token', and ends the session when that is refused.
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return submit(path, options, async (marked) => {
    const response = await respond(path, marked);
    if (response.status === 204) return undefined as T;
    return (await response.json()) as T;
  });
}

/** The same for a file: returns its bytes; errors are read as JSON. */
export async function requestBlob(path: string, options: RequestOptions = {}): Promise<Blob> {
  const response = await respond(path, options);
  return response.blob();
}

/** The same for an answer in JSON lines; `onLine` is called as each line arrives. */
export async function requestLines(
  path: string,
  options: RequestOptions,
  onLine: (line: unknown) => void,
): Promise<void> {
  const response = await respond(path, options);
  await eachLine(response, onLine);
}

/** All items of a paged list. */
export async function requestAll<T>(
  path: string,
  query: Query = {},
  options: RequestOptions & {
    /** Called with the first page, and how many items there are in all, while the others are on their way. */
    onFirst?: (items: T[], total: number) => void;
  } = {},
): Promise<T[]> {
  const ask = (page: number): Promise<Page<T>> =>
    request<Page<T>>(path, { ...options, query: { per_page: 300, ...query, page } });
  const first = await ask(1);
  options.onFirst?.(first.data, first.total_count);
  const pages: T[][] = [first.data];
  let next = 2;
  const fetchOn = async (): Promise<void> => {
    while (next <= first.total_pages) {
      const page = next;
      next += 1;
      pages[page - 1] = (await ask(page)).data;
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, fetchOn));
  return pages.flat();
}

/** Pages of one list that are on their way beside each other. */
const PAGES_AT_ONCE = 4;

/** All items of a list narrowed by ids, in requests of 300 ids. */
export async function requestByIds<T>(
  path: string,
  parameter: string,
  ids: readonly number[],
  query: Query = {},
): Promise<T[]> {
  const parts = await Promise.all(
    chunks(ids).map((chunk) => requestAll<T>(path, { ...query, [parameter]: chunk })),
  );
  return parts.flat();
}

/** The answer of a call that was not refused. */
export async function respond(path: string, options: RequestOptions): Promise<Response> {
  const method = options.method ?? "GET";
  const write = beginWrite(method, path);
  try {
    if (!mayCall(method, path, session().user)) throw notAuthorised();
    const headers = { ...write?.headers, ...options.headers };
    const response = await sendWithRenewal(path, { ...options, headers });
    const done = options.quiet === true ? null : successText(method, path);
    if (done !== null) toastSuccess(done);
    return response;
  } catch (error) {
    const asked = error instanceof ApiError && options.asks?.includes(error.code ?? "") === true;
    if (error instanceof ApiError && options.quiet !== true && !asked) toastError(error.message);
    throw error;
  } finally {
    write?.end();
  }
}

async function sendWithRenewal(path: string, options: RequestOptions): Promise<Response> {
  try {
    return await send(path, authorised(options));
  } catch (error) {
    if (error instanceof ApiError && error.isSuspended) endSession(error.message);
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    if (!error.isExpiredToken) {
      reloadAfter401();
      throw error;
    }
    if (!(await renewToken())) {
      endSession();
      throw error;
    }
  }
  try {
    return await send(path, authorised(options));
  } catch (error) {
    if (error instanceof ApiError && error.isExpiredToken) endSession();
    throw error;
  }
}

function authorised(options: RequestOptions): Sending {
  const { token } = session();
  if (token === null) return options;
  return { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } };
}

const LAST_RELOAD = "lastReloadAfter401";
const RELOAD_PAUSE = 30_000;

/** A 401 for another reason reloads the page, at most once per 30 s. */
function reloadAfter401(): void {
  const last = Number(sessionStorage.getItem(LAST_RELOAD) ?? 0);
  if (Date.now() - last < RELOAD_PAUSE) return;
  sessionStorage.setItem(LAST_RELOAD, String(Date.now()));
  window.location.reload();
}

async function eachLine(response: Response, onLine: (line: unknown) => void): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) if (line.trim() !== "") onLine(JSON.parse(line));
    if (done) return;
  }
}
