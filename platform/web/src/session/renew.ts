import { send } from "../api/send.ts";
import type { Tokens } from "../model/user.ts";
import { changeSession, session } from "./store.ts";
import { expiryOf, keepRefreshToken, storedRefreshToken } from "./tokens.ts";

/** How long one tab may hold the right to renew. */
const LOCK_TIMEOUT = 10_000;
const LOCK_NAME = "routewright-renew-token";

let running: Promise<boolean> | null = null;

/**
 * Trades the refresh token for new tokens; false when there is none or the server refuses. Refresh tokens
 * are used once, therefore one renewal at a time, over all tabs of the browser.
 */
export function renewToken(): Promise<boolean> {
  running ??= withLock(renew).finally(() => {
    running = null;
  });
  return running;
}

async function renew(): Promise<boolean> {
  const refreshToken = storedRefreshToken();
  if (refreshToken === null) return false;
  try {
    const tokens = await trade("/auth/refresh_token", { refresh_token: refreshToken });
    keepRefreshToken(tokens.refresh_token);
    return await takeToken(tokens.token);
  } catch {
    return false;
  }
}

/** Uses an access token, or the token of the organisation that a Master user works in, obtained with it. */
export async function takeToken(token: string): Promise<boolean> {
  const { workingIn } = session();
  let inUse = token;
  if (workingIn !== null) {
    const answer = await trade("/auth/organisation_token", { organisation_id: workingIn.id }, token);
    inUse = answer.token;
  }
  changeSession({ token: inUse });
  scheduleRenewal(inUse);
  return true;
}

async function trade(path: string, body: unknown, token?: string): Promise<Tokens> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await send(path, { method: "POST", body, headers });
  return (await response.json()) as Tokens;
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** Renew a little early, so that no call meets an expired token. */
const EARLY = 20_000;

function scheduleRenewal(token: string): void {
  clearTimeout(timer);
  const expiry = expiryOf(token);
  if (expiry === null) return;
  timer = setTimeout(
    () => {
      void renewToken();
    },
    Math.max(1_000, expiry - Date.now() - EARLY),
  );
}

export function cancelRenewal(): void {
  clearTimeout(timer);
}

/** Browsers offer cross-tab locks only in secure contexts; elsewhere the lock of this tab has to do. */
async function withLock(work: () => Promise<boolean>): Promise<boolean> {
  if (!("locks" in navigator)) return work();
  try {
    return await navigator.locks.request(LOCK_NAME, { signal: AbortSignal.timeout(LOCK_TIMEOUT) }, work);
  } catch {
    return false;
  }
}
