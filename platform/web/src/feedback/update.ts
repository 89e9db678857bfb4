import { texts } from "../texts/index.ts";
import { serverAnswers } from "./connection.ts";
import { reportError } from "./telemetry.ts";
import { toastLoading } from "./toasts.ts";

/** Pause before the page is reloaded, in which the text can be seen. */
const RELOAD_DELAY = 100;
/** How often is asked whether the page may be left by now, or whether the server answers again. */
const AGAIN = 1_000;
/** A part that is gone again so soon after a reload is not out of date but missing. */
const SAME_FAULT = 20_000;
const LAST_RELOAD = "lastReloadForUpdate";
const TOAST = "reloading-for-update";

/** Whether a part of the app could not be fetched, in the words of the browsers and of the bundler. */
export function isPartGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Loading chunk|Unable to preload CSS/i.test(
      error.message,
    )
  );
}

let reloading = false;

/**
 * A part of the app that is gone from the server means that a new version is out: the page is reloaded. Not while a
 * form holds typing that is not saved, and not before the server has a page to give. False when the page was reloaded
 * for the same reason a moment ago: then reloading does not help.
 */
export function reloadForUpdate(): boolean {
  if (reloading) return true;
  const last = Number(sessionStorage.getItem(LAST_RELOAD) ?? 0);
  if (Date.now() - last < SAME_FAULT) return false;
  reloading = true;
  void reload().finally(() => {
    reloading = false;
  });
  return true;
}

async function reload(): Promise<void> {
  toastLoading(holdsTyping() ? texts.errors.updateWaits : texts.errors.reloadingForUpdate, TOAST);
  await Promise.all([pause(RELOAD_DELAY), pageIsThere()]);
  while (holdsTyping()) await pause(AGAIN);
  sessionStorage.setItem(LAST_RELOAD, String(Date.now()));
  window.location.reload();
}

/** Asks as the browser does before a page is left: forms object while they hold what is not saved. */
function holdsTyping(): boolean {
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

/** Without a connection the open page is all there is: it is kept until the server answers. */
async function pageIsThere(): Promise<void> {
  while (!(await serverAnswers())) await pause(AGAIN);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Has every lazily loaded part of the app pass by, those too that no screen waits for. Called once per app. */
export function watchForUpdates(): void {
  window.addEventListener("vite:preloadError", (event) => {
    reportError((event as Event & { payload?: unknown }).payload);
    reloadForUpdate();
  });
}
