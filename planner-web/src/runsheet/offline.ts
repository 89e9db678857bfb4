import { useEffect } from "react";
import { type KeepMessage, keptPaths, PAGE } from "./kept-files.ts";

/** Address of the built service worker. */
const WORKER = "/runsheet-worker.js";

/** Lets the run sheet open without a connection after it was opened once. */
export function useOfflinePage(): void {
  useEffect(() => {
    // The development server has no built worker; browsers allow workers on secure addresses only.
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    keepPage().catch((error: unknown) => console.warn("The run sheet is not kept for offline use.", error));
  }, []);
}

async function keepPage(): Promise<void> {
  await navigator.serviceWorker.register(WORKER, { scope: PAGE });
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const message: KeepMessage = { kind: "keep", urls: keptPaths(loaded, window.location.origin) };
  active?.postMessage(message);
}
