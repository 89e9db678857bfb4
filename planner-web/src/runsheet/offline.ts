import type { Runsheet } from "@routewright/web";
import { useEffect, useEffectEvent } from "react";
import { type KeepMessage, keptPaths, PAGE } from "./kept-files.ts";

/** Address of the built service worker. */
const WORKER = "/runsheet-worker.js";

/** Lets the run sheet open without a connection after it was opened once, with the map of this run. */
export function useOfflinePage(sheet: Runsheet | null): void {
  const run = sheet?.run.id;
  const keep = useEffectEvent(() => (sheet === null ? Promise.resolve() : keepPage(sheet)));
  useEffect(() => {
    // The development server has no built worker; browsers allow workers on secure addresses only.
    if (run === undefined || !import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    keep().catch((error: unknown) => console.warn("The run sheet is not kept for offline use.", error));
  }, [run]);
}

async function keepPage(sheet: Runsheet): Promise<void> {
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = "/runsheet.webmanifest";
  document.head.append(manifest);
  await navigator.serviceWorker.register(WORKER, { scope: PAGE });
  const { active } = await navigator.serviceWorker.ready;
  // What is fetched on use only has to be there on the road too.
  await import("./Scanner.tsx");
  await import("./RunMap.tsx");
  const { fetchMapWorker, keepTiles } = await import("./keep-map.ts");
  await fetchMapWorker();
  if (!("BarcodeDetector" in globalThis)) await import("@zxing/browser");
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const message: KeepMessage = { kind: "keep", urls: keptPaths(loaded, window.location.origin) };
  active?.postMessage(message);
  await keepTiles(sheet);
}
