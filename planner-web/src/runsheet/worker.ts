/**
 * Service worker of the run sheet page: keeps the page and its parts on the phone, so that it opens without a
 * connection. Data of the office is not kept here; the page keeps the sheet and what waits to be sent itself.
 */
import { isKeptFile, isSheetPage, type KeepMessage, PAGE } from "./kept-files.ts";

/** The part of the worker's world that is used; the compiler knows the window's only. */
interface Worker {
  location: Location;
  clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  addEventListener: ((type: "install" | "activate", listener: (event: Extended) => void) => void) &
    ((type: "fetch", listener: (event: Fetch) => void) => void) &
    ((type: "message", listener: (event: Extended & { data: unknown }) => void) => void);
}
interface Extended {
  waitUntil: (work: Promise<unknown>) => void;
}
interface Fetch {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}

const worker = self as unknown as Worker;
const CACHE = "runsheet-1";
/** Milliseconds after which a slow connection counts as none. */
const PATIENCE = 4_000;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("runsheet-") && name !== CACHE) await caches.delete(name);
      }
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("message", (event) => {
  const message = event.data as KeepMessage | null;
  if (message?.kind === "keep") event.waitUntil(keep(message.urls));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (request.mode === "navigate" && isSheetPage(url.pathname)) event.respondWith(page(request));
  else if (isKeptFile(url.pathname)) event.respondWith(file(request));
});

/** The newest page, or the kept one when the office cannot be reached. */
async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    // Kept under one name, without the token of the link.
    if (response.ok) await cache.put(PAGE, response.clone());
    if (response.status < 500) return response;
  } catch {
    // No connection.
  }
  return (await cache.match(PAGE)) ?? Response.error();
}

/** Names of built files carry a hash: what is kept is right. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok && response.status === 200) await cache.put(request, response.clone());
  return response;
}

/** Keeps what the open page is made of, and drops what an older version left. */
async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const wanted = new Set([PAGE, ...urls]);
  for (const url of wanted) {
    if ((await cache.match(url, { ignoreVary: true })) === undefined) await cache.add(url);
  }
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (!wanted.has(pathname)) await cache.delete(request);
  }
}
