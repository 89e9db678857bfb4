import { send } from "../api/send.ts";
import { cancelRenewal } from "./renew.ts";
import { clearSession, session } from "./store.ts";
import { forgetRefreshToken, storedRefreshToken } from "./tokens.ts";
import { forgetWorkingOrganisation } from "./working-organisation.ts";

const listeners = new Set<() => void>();

/** Runs when the user signs out: the place to drop all client state. */
export function onSignOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ends the session here at once; the server is told, but the user gets out even when it does not answer. */
export function signOut(problem: string | null = null): void {
  const refreshToken = storedRefreshToken();
  const { token } = session();
  cancelRenewal();
  forgetRefreshToken();
  forgetWorkingOrganisation();
  clearSession(problem);
  for (const listener of listeners) listener();
  if (refreshToken === null || token === null) return;
  send("/auth/logout", {
    method: "POST",
    body: { refresh_token: refreshToken },
    headers: { Authorization: `Bearer ${token}` },
  }).catch(() => undefined);
}
