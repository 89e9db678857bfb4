import { request } from "../api/request.ts";
import { toastError } from "../feedback/toasts.ts";
import { texts } from "../texts/index.ts";

/** Answer of `GET /auth/esri_token`. */
interface GisToken {
  esri_access_token: string;
  /** ISO 8601. */
  esri_token_expiry: string;
}

/** Milliseconds before its end from which a token is not used any more. */
const MARGIN = 2 * 60_000;
/** In the address of a style that needs the token. */
const PLACE = "{token}";

let known: GisToken | null = null;

/** Whether a token may still be used. */
export function isFresh(expiry: string, now: number): boolean {
  return Date.parse(expiry) - now > MARGIN;
}

/** The address with the token where it has a place for one; `null` when there is no token to be had. */
export async function withGisToken(url: string): Promise<string | null> {
  if (!url.includes(PLACE)) return url;
  try {
    if (known === null || !isFresh(known.esri_token_expiry, Date.now())) {
      known = await request<GisToken>("/auth/esri_token", { quiet: true });
    }
    return url.replaceAll(PLACE, encodeURIComponent(known.esri_access_token));
  } catch {
    toastError(texts.map.noGisToken);
    return null;
  }
}
