import { send } from "../api/send.ts";
import { texts } from "../texts/index.ts";
import { keepNextPage } from "./next-page.ts";
import { forgetPerson } from "./person.ts";
import { cancelRenewal } from "./renew.ts";
import { changeSession, clearSession, session } from "./store.ts";
import { storedRefreshToken } from "./tokens.ts";

/**
 * The user leaves. The session ends here at once; the server is told, but the user gets out even when it does not
 * answer. The sign-in page is a new page: nothing that was in the memory of this one is left for whoever comes next.
 */
export function signOut(): void {
  tellServer();
  leave();
  openSignIn("/");
}

/** The server has ended the session, for a reason that it may have told. Who signs in again comes back to where this happened. */
export function endSession(reason: string = texts.session.ended): void {
  if (session().status !== "signed_in") return;
  leave();
  sessionStorage.setItem(PROBLEM, reason);
  askToSignIn();
}

/** Opens the sign-in page, which leads back to this one. */
export function askToSignIn(): void {
  const { pathname, search } = window.location;
  const elsewhere = keepNextPage(`${pathname}${search}`);
  openSignIn(elsewhere ? "/" : `${pathname}${search}`);
}

const PROBLEM = "signInProblem";

/** Why the page asks to sign in, told once. */
export function takeSignInProblem(): string | null {
  const problem = sessionStorage.getItem(PROBLEM);
  sessionStorage.removeItem(PROBLEM);
  return problem;
}

function leave(): void {
  cancelRenewal();
  forgetPerson();
  clearSession();
  // Nobody signs in on the page that is about to go.
  changeSession({ status: "starting" });
}

/** Forms object to being left; they are gone once this has been drawn. */
function openSignIn(address: string): void {
  setTimeout(() => window.location.replace(address), 0);
}

function tellServer(): void {
  const refreshToken = storedRefreshToken();
  const { token } = session();
  if (refreshToken === null || token === null) return;
  send("/auth/logout", {
    method: "POST",
    body: { refresh_token: refreshToken },
    headers: { Authorization: `Bearer ${token}` },
    // The page is left before the answer comes.
    keepalive: true,
  }).catch(() => undefined);
}
