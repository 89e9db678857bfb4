import type { MapConfig } from "@routewright/web";

/**
 * What scripts add to the customer's page, which the office writes and which is readable without: it stays up to date,
 * and has a map and a form to ask for another time.
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

/** Replaces what has changed; never while somebody writes. */
async function refresh(): Promise<void> {
  if (document.visibilityState !== "visible" || document.querySelector("main :focus") !== null) return;
  const response = await fetch(window.location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const next of page.querySelectorAll<HTMLElement>("main article[data-token]")) {
    const token = next.dataset["token"] ?? "";
    const shown = document.querySelector<HTMLElement>(`main article[data-token="${CSS.escape(token)}"]`);
    if (shown === null || shown.dataset["came"] === next.innerHTML) continue;
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
  for (const form of part.querySelectorAll<HTMLFormElement>("form.reschedule")) {
    const token = form.closest<HTMLElement>("[data-token]")?.dataset["token"] ?? "";
    const day = form.elements.namedItem("date") as HTMLInputElement;
    const [first, last] = [0, Number(form.dataset["days"])].map(dayIn) as [string, string];
    day.min = first;
    day.max = last;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void ask(form, token);
    });
  }
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

/** The day in so many days, `YYYY-MM-DD`. */
function dayIn(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${part(day.getMonth() + 1)}-${part(day.getDate())}`;
}

async function ask(form: HTMLFormElement, token: string): Promise<void> {
  const told = form.querySelector<HTMLElement>("[role=status]");
  const button = form.querySelector("button");
  const data = new FormData(form);
  const orNull = (name: string): string | null => textOf(data, name) || null;
  const body = {
    date: textOf(data, "date"),
    time_from: orNull("time_from"),
    time_to: orNull("time_to"),
    note: orNull("note"),
  };
  if (told === null || button === null) return;
  button.disabled = true;
  try {
    const response = await fetch(`/api/jobs/tracking/${encodeURIComponent(token)}/reschedule`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    told.textContent = response.ok
      ? (form.dataset["sent"] ?? "")
      : refusalOf((await response.json()) as Refusal);
    if (response.ok) form.reset();
  } catch (error) {
    told.textContent = String(error);
  }
  button.disabled = false;
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
}

interface Refusal {
  description?: string;
  fields?: Record<string, string>;
}

function refusalOf(answer: Refusal): string {
  return Object.values(answer.fields ?? {})[0] ?? answer.description ?? "";
}

start();
