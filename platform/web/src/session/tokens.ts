/**
 * Where the refresh token lives between visits: `authToken` in local storage with "remember me", else in
 * session storage. Access tokens stay in memory.
 */
const AUTH_TOKEN = "authToken";
const REMEMBER_ME = "rememberMe";

export function remembersMe(): boolean {
  return localStorage.getItem(REMEMBER_ME) === "true";
}

export function keepRefreshToken(token: string, rememberMe: boolean = remembersMe()): void {
  localStorage.setItem(REMEMBER_ME, String(rememberMe));
  (rememberMe ? localStorage : sessionStorage).setItem(AUTH_TOKEN, token);
  (rememberMe ? sessionStorage : localStorage).removeItem(AUTH_TOKEN);
}

/** The stored refresh token; an expired one is removed and not returned. */
export function storedRefreshToken(now: number = Date.now()): string | null {
  const token = sessionStorage.getItem(AUTH_TOKEN) ?? localStorage.getItem(AUTH_TOKEN);
  if (token === null) return null;
  const expiry = expiryOf(token);
  if (!isToken(token) || (expiry !== null && expiry <= now)) {
    forgetRefreshToken();
    return null;
  }
  return token;
}

/** Whether a text can be sent as a token at all. */
export function isToken(text: string): boolean {
  return /^[\w.~+/=-]+$/.test(text);
}

export function forgetRefreshToken(): void {
  localStorage.removeItem(AUTH_TOKEN);
  sessionStorage.removeItem(AUTH_TOKEN);
}

/** Expiry of a JWT in milliseconds, or `null` when the token carries none. */
export function expiryOf(token: string): number | null {
  const claims = claimsOf(token);
  const exp = claims?.["exp"];
  return typeof exp === "number" ? exp * 1000 : null;
}

function claimsOf(token: string): Record<string, unknown> | null {
  const payload = token.split(".")[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? { ...claims } : null;
  } catch {
    return null;
  }
}
