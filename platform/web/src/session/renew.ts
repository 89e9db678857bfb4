import { ApiError } from "../api/error.ts";
import { send } from "../api/send.ts";
import { within } from "../api/within.ts";
import { found, lost, pauseBefore } from "../feedback/connection.ts";
import { toastError } from "../feedback/toasts.ts";
import type { Tokens } from "../model/user.ts";
import { changeSession, session } from "./store.ts";
import { expiryOf, keepRefreshToken, storedRefreshToken } from "./tokens.ts";
import { forgetWorkingOrganisation, storedWorkingOrganisation } from "./working-organisation.ts";

/** How long a tab waits for the right to renew. */
const LOCK_TIMEOUT = 10_000;
const LOCK_NAME = "routewright-renew-token";
/** How long an answer may take; less than the lock, so that others get their turn. */
export const ANSWER_TIMEOUT = 8_000;
/** How long a call waits for a renewal that is not answered; the renewal itself goes on. */
const CALL_PATIENCE = 15_000;

let running: Promise<boolean> | null = null;

/**
 * Trades the refresh token for new tokens; false when there is none or the server refuses it. Nothing else ends a
 * session: what is not answered, or answered by a fault, is tried again for as long as it takes, and shown. Who waits
 * for it is told of the fault after 15 seconds. Refresh tokens are used once, therefore one renewal at a time, over all
 * tabs of the browser.
 *
 * Throws an `ApiError` when there was no answer for so long.
 */
export function renewToken(): Promise<boolean> {
  running ??= untilAnswered(() => withLock(renew)).finally(() => {
    running = null;
  });
  return inTime(running);
}

async function inTime(renewal: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError(0, null)), CALL_PATIENCE);
  });
  try {
    return await Promise.race([renewal, patience]);
  } finally {
    clearTimeout(timer);
  }
}

/** Does work of the session until the server did it or refused it; a refusal is thrown. */
export async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const done = await work();
      found("session");
      return done;
    } catch (error) {
      if (isRefusal(error)) {
        found("session");
        throw error;
      }
      lost("session");
      await pauseBefore(attempt, error instanceof ApiError ? error.retryAfter : null);
    }
  }
}

/** Whether the service itself said no, in the shape of the API's errors. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [401, 403].includes(error.status) && error.isFromApi;
}

async function renew(): Promise<boolean> {
  const refreshToken = storedRefreshToken();
  if (refreshToken === null) return false;
  let tokens: Tokens;
  try {
    tokens = await trade("/auth/refresh_token", { refresh_token: refreshToken });
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
  keepRefreshToken(tokens.refresh_token);
  await takeToken(tokens.token);
  return true;
}

/**
 * Uses an access token, or the token of the organisation that a Master user works in, obtained with it. An organisation
 * that cannot be entered any more is left; the session goes on.
 */
export async function takeToken(token: string): Promise<void> {
  const inUse = await tokenWithin(token);
  changeSession({ token: inUse });
  scheduleRenewal(inUse);
}

async function tokenWithin(token: string): Promise<string> {
  const { workingIn } = session();
  if (workingIn === null) return token;
  try {
    if (workingIn.rehearsal !== true) {
      return (await trade("/auth/organisation_token", { organisation_id: workingIn.id }, token)).token;
    }
    const entered = await trade<Tokens & { organisation: { id: number } }>(
      "/auth/rehearsal_token",
      {},
      token,
    );
    // Another one took its place: what the page shows is gone.
    if (entered.organisation.id !== workingIn.id) throw new ApiError(404, null);
    return entered.token;
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof ApiError && error.status === 404)) throw error;
    changeSession({ workingIn: null });
    toastError(error.message);
    // What the page shows belongs to the organisation.
    if (storedWorkingOrganisation() !== null) {
      forgetWorkingOrganisation();
      window.location.reload();
    }
    return token;
  }
}

async function trade<T = Tokens>(path: string, body: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return within(ANSWER_TIMEOUT, async (signal) => {
    const response = await send(path, { method: "POST", body, headers, signal });
    return (await response.json()) as T;
  });
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** Renew a little early, so that no call meets an expired token. */
const EARLY = 20_000;

function scheduleRenewal(token: string): void {
  clearTimeout(timer);
  const expiry = expiryOf(token);
  if (expiry === null) return;
  timer = setTimeout(
    // What is not answered goes on by itself.
    () => void renewToken().catch(() => undefined),
    Math.max(1_000, expiry - Date.now() - EARLY),
  );
}

export function cancelRenewal(): void {
  clearTimeout(timer);
}

/** Browsers offer cross-tab locks only in secure contexts; elsewhere the lock of this tab has to do. */
async function withLock(work: () => Promise<boolean>): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager | null };
  if (!locks) return work();
  return within(LOCK_TIMEOUT, (signal) => locks.request(LOCK_NAME, { signal }, work));
}
