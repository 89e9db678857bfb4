import { messageOfError } from "../api/error.ts";
import { answer, api, quietApi } from "../api/client.ts";
import { send } from "../api/send.ts";
import { within } from "../api/within.ts";
import type { AuthUser, Tokens } from "../model/user.ts";
import { toastError, toastSuccess } from "../feedback/toasts.ts";
import { fill, texts } from "../texts/index.ts";
import { ANSWER_TIMEOUT, renewToken, takeToken, untilAnswered } from "./renew.ts";
import { endSession, takeSignInProblem } from "./sign-out.ts";
import { changeSession, clearSession, session, type WorkingOrganisation } from "./store.ts";
import { forgetRefreshToken, isToken, keepRefreshToken, remembersMe, storedRefreshToken } from "./tokens.ts";
import {
  forgetWorkingOrganisation,
  keepWorkingOrganisation,
  storedWorkingOrganisation,
} from "./working-organisation.ts";

type SignedIn = AuthUser & Tokens;

/** Signs in with e-mail and password; the message of a refusal is thrown. */
export async function signIn(email: string, password: string, rememberMe: boolean): Promise<void> {
  const response = await send("/users/login", {
    method: "POST",
    body: { email, password, remember_me: rememberMe },
  });
  await enter((await response.json()) as SignedIn, rememberMe);
}

/** What is asked of somebody who signs up. */
export interface SignUp {
  organisation_name: string;
  first_name: string;
  last_name: string;
  email: string;
  password: string;
}

/** Makes an organisation and signs its first administrator in; the message of a refusal is thrown. */
export async function signUp(fields: SignUp): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body = { ...fields, email: fields.email.trim(), timezone: timeZone };
  const response = await send("/users/register", { method: "POST", body });
  await enter((await response.json()) as SignedIn, false);
}

let started: Promise<void> | null = null;

/**
 * Tries the refresh token from the URL parameter `authtoken` or from storage, once per page. `authtoken`
 * leaves the address bar and the history at once.
 */
export function startSession(): Promise<void> {
  started ??= autoSignIn();
  return started;
}

async function autoSignIn(): Promise<void> {
  const refreshToken = takeTokenFromUrl() ?? storedRefreshToken();
  if (refreshToken === null) {
    clearSession(takeSignInProblem());
    return;
  }
  changeSession({ workingIn: storedWorkingOrganisation() });
  try {
    const signedIn = await untilAnswered(() => {
      return within(ANSWER_TIMEOUT, async (signal) => {
        const sending = { headers: { token: refreshToken }, signal };
        return (await (await send("/users/login/from_token", sending)).json()) as SignedIn;
      });
    });
    await enter(signedIn, remembersMe());
  } catch (error) {
    forgetRefreshToken();
    clearSession(messageOfError(error) || texts.session.loginFailed);
  }
}

function takeTokenFromUrl(): string | null {
  const url = new URL(window.location.href);
  const token = url.searchParams.get("authtoken");
  if (token === null) return null;
  url.searchParams.delete("authtoken");
  window.history.replaceState(window.history.state, "", url);
  return isToken(token) ? token : null;
}

async function enter(signedIn: SignedIn, rememberMe: boolean): Promise<void> {
  const { token, refresh_token: refreshToken, ...user } = signedIn;
  keepRefreshToken(refreshToken, rememberMe);
  await untilAnswered(() => takeToken(token));
  changeSession({ user, problem: null });
  if (session().workingIn !== null) {
    changeSession({ user: await untilAnswered(() => answer(quietApi.GET("/auth/user"))) });
  }
  changeSession({ status: "signed_in" });
}

/** Reads the user again, for example after a change of the own role. */
export async function reloadUser(): Promise<void> {
  const user = await answer(api.GET("/auth/user"));
  changeSession({ user });
}

/**
 * After a change of what the token stands for: own user, own role, new organisations or hauliers. The change is made
 * already: what is not answered is no failure of it, and the renewal goes on by itself.
 */
export async function refreshSession(): Promise<void> {
  try {
    if (await renewToken()) await reloadUser();
  } catch (error) {
    console.warn(error);
  }
}

/** Changes the own user; with `quietApi` the caller tells a refusal. */
export async function changeOwnUser(change: Record<string, unknown>, by = api): Promise<void> {
  const user = await answer(by.PATCH("/users/me", { body: change }));
  changeSession({ user });
}

/**
 * A Master user begins to work inside an organisation; the server records it. An organisation that cannot be entered is
 * told, and nothing changes.
 */
export async function enterOrganisation(organisation: WorkingOrganisation): Promise<void> {
  changeSession({ workingIn: organisation });
  try {
    if (!(await renewToken())) return endSession();
  } catch (error) {
    changeSession({ workingIn: null });
    toastError(messageOfError(error));
    throw error;
  }
  if (session().workingIn === null) return;
  keepWorkingOrganisation(organisation);
  await reloadUser();
}

export async function leaveOrganisation(): Promise<void> {
  // It stays left when it cannot be told: then the visit ends on the record with its token.
  const left = session().workingIn?.rehearsal === true ? "/auth/rehearsal_token" : "/auth/organisation_token";
  await answer(quietApi.DELETE(left)).catch((error: unknown) => console.warn(error));
  forgetWorkingOrganisation();
  changeSession({ workingIn: null });
  await refreshSession();
}

export interface SignInProvider {
  /** `oidc`, or `sign_up` where anybody may make an organisation. */
  key: string;
  name: string;
  url: string;
}

/** Sign-in providers of the installation; none when the call fails, because e-mail always works. */
export async function signInProviders(): Promise<SignInProvider[]> {
  try {
    const response = await send("/auth/providers");
    const answer: unknown = await response.json();
    return Array.isArray(answer) ? answer.filter(isProvider) : [];
  } catch {
    return [];
  }
}

function isProvider(value: unknown): value is SignInProvider {
  return typeof value === "object" && value !== null && "name" in value && "url" in value;
}

export async function askForPasswordReset(email: string): Promise<void> {
  await send("/reset-password", { method: "POST", body: { email } });
}

export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await send("/reset-password", {
    method: "PATCH",
    query: { token },
    body: { new_password: newPassword },
  });
}

/** Parameter of the link in the mail to a new address. */
const CONFIRMATION = "confirm_email";

/** Whether the page was opened from the link in the mail to a new address. */
export function hasConfirmation(): boolean {
  return new URLSearchParams(window.location.search).has(CONFIRMATION);
}

/** Follows the link from the mail to a new address, once; its token leaves the address bar. Says what became of it. */
export async function confirmEmail(): Promise<void> {
  const url = new URL(window.location.href);
  const token = url.searchParams.get(CONFIRMATION);
  if (token === null) return;
  url.searchParams.delete(CONFIRMATION);
  window.history.replaceState(window.history.state, "", url);
  try {
    const user = await answer(api.POST("/users/me/email", { body: { token } }));
    changeSession({ user });
    toastSuccess(fill(texts.session.emailConfirmed, { email: user.email }));
  } catch {
    // The refusal is toasted by the request.
  }
}

/** Signs up a new organisation with its administrator, where the installation allows it. */
export async function register(input: Record<string, string>): Promise<void> {
  await send("/users/register", { method: "POST", body: input });
}
