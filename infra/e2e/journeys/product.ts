import { type Browser, type BrowserContext, chromium, type ConsoleMessage, type Page } from "playwright-core";
import { expect } from "vitest";

/** Where the product runs; `infra/ci/e2e.sh` starts it. */
export const baseUrl = process.env["PRODUCT_URL"] ?? "http://127.0.0.1:8080";

export const password = "routewright-demo";

export const people = {
  operator: "operator@master.routewright.test",
  admin: "admin@demo.routewright.test",
  planner: "planner@demo.routewright.test",
  other: "planner@other.routewright.test",
} as const;

/** One of the people above by name, anybody else by email. */
function emailOf(person: string): string {
  return (people as Readonly<Record<string, string>>)[person] ?? person;
}

/** The distribution's browser, without its calls home. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What a page said that it should not have: errors in the console and uncaught ones. */
export interface Watched {
  page: Page;
  context: BrowserContext;
  faults: string[];
}

/** A fresh window of the given size that notes every error; `url` is where it finds the product. */
export async function open(
  browser: Browser,
  size = { width: 1366, height: 768 },
  url = baseUrl,
): Promise<Watched> {
  const context = await browser.newContext({ viewport: size, baseURL: url, timezoneId: "Europe/Lisbon" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`${String(error)} ${error.stack ?? ""}`));
  page.on("console", (message) => {
    // A refused request is part of some journeys; the browser reports it as an error of its own.
    if (message.type() !== "error" || message.text().startsWith("Failed to load resource")) return;
    void faultOf(message).then((fault) => fault !== null && faults.push(fault));
  });
  return { page, context, faults };
}

/**
 * What an error of the console says. One that came from the map's worker prints without its words; `null` when these tell
 * of a request that failed, or when the page that said it was left meanwhile.
 */
async function faultOf(message: ConsoleMessage): Promise<string | null> {
  const { url, lineNumber, columnNumber } = message.location();
  const fault = `${message.text()} (${url}:${lineNumber}:${columnNumber})`;
  if (message.text() !== "Error") return fault;
  const words = await message
    .args()[0]
    ?.evaluate((told: unknown) => (told instanceof Error ? told.message : ""))
    .catch(() => null);
  return words === null || words === "Failed to fetch" ? null : `${fault} ${words ?? ""}`;
}

/** Signs in through the form and gives the consent that the first sign-in asks for. */
export async function signIn(page: Page, person: string, secret = password): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Email").fill(emailOf(person));
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await consent(page);
}

async function consent(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Confirm" }) });
  const arrived = page.getByRole("button", { name: /account|user menu/i }).first();
  await dialog.or(arrived).first().waitFor();
  if (await dialog.isVisible()) {
    const confirm = dialog.getByRole("button", { name: "Confirm" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole("checkbox").check();
    await confirm.click();
    await dialog.waitFor({ state: "hidden" });
  }
}

/** A call of the API as a person, beside the browser. */
export class Api {
  private constructor(readonly token: string) {}

  static async as(person: string, secret = password): Promise<Api> {
    const nobody = new Api("");
    const answer = await nobody.call<{ token: string }>("POST", "/users/login", {
      email: emailOf(person),
      password: secret,
    });
    return new Api(answer.token);
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>("GET", path);
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(this.token === "" ? {} : { authorization: `Bearer ${this.token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
}
