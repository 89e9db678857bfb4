import type { MapConfig } from "@routewright/web";
import { livenReschedule } from "./reschedule.ts";
import { textOf } from "./send.ts";
import { livenWishes } from "./wishes.ts";

/**
 * What scripts add to the customer's page, which the office writes and which is readable without: it stays up to date,
 * and has a map and forms to ask for another time and to tell the driver something.
 */

/** Milliseconds between two looks. */
const AGAIN = 30_000;

function start(): void {
  document.documentElement.dataset["scripts"] = "";
  liven(document);
  setInterval(() => void refresh().catch(() => undefined), AGAIN);
  document.querySelector<HTMLFormElement>("form.add")?.addEventListener("submit", (event) => {
    event.preventDefault();
    addDelivery(event.currentTarget as HTMLFormElement);
  });
}

/** Keeps the deliveries that are shown beside the new one. */
function addDelivery(form: HTMLFormElement): void {
  const typed = textOf(new FormData(form), "tokens").toUpperCase();
  const shown = new URLSearchParams(window.location.search).get("tokens")?.split(",") ?? [];
  const tokens = [...shown.filter((token) => token !== "" && token !== typed), typed];
  window.location.assign(`/tracking?tokens=${tokens.map(encodeURIComponent).join(",")}`);
}

/** Replaces what has changed; never while somebody writes, or has a form open. */
async function refresh(): Promise<void> {
  if (document.visibilityState !== "visible" || document.querySelector("main :focus") !== null) return;
  const response = await fetch(window.location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const next of page.querySelectorAll<HTMLElement>("main article[data-token]")) {
    const token = next.dataset["token"] ?? "";
    const shown = document.querySelector<HTMLElement>(`main article[data-token="${CSS.escape(token)}"]`);
    if (shown === null || shown.dataset["came"] === next.innerHTML) continue;
    if (shown.querySelector("details[open] form:not([data-done])") !== null) continue;
    next.dataset["came"] = next.innerHTML;
    const mapped = shown.querySelector("[data-drawn]") !== null;
    shown.replaceWith(next);
    liven(next, mapped);
  }
}

function liven(part: ParentNode, mapped = false): void {
  for (const map of part.querySelectorAll<HTMLElement>(".map")) {
    const draw = (): void => void show(map);
    map.querySelector("button")?.addEventListener("click", draw);
    // Who waits for a vehicle that is on its way sees it at once.
    if (mapped || map.dataset["vehicleLat"] !== undefined) draw();
  }
  for (const form of part.querySelectorAll<HTMLFormElement>("form.reschedule")) livenReschedule(form);
  for (const form of part.querySelectorAll<HTMLFormElement>("form.wishes")) livenWishes(form);
}

async function show(map: HTMLElement): Promise<void> {
  const number = (name: string): number => Number(map.dataset[name]);
  const vehicle =
    map.dataset["vehicleLat"] === undefined ? null : { lat: number("vehicleLat"), lon: number("vehicleLon") };
  const { drawMap } = await import("./map.ts");
  map.dataset["drawn"] = "";
  map.replaceChildren();
  map.setAttribute("role", "region");
  map.setAttribute("aria-label", map.dataset["address"] ?? "");
  const config = JSON.parse(map.dataset["config"] ?? "") as MapConfig;
  await drawMap(map, config, { lat: number("lat"), lon: number("lon") }, vehicle);
}

start();
