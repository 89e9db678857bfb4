import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

const RELOADING = "Reloading page due to an update...";
const WAITING = "A new version is out. Save what you typed: the page reloads after that.";
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
};

/** The planner as a build of other sources lays it out: the same parts, every one under another name. */
function nextBuild(): Map<string, Buffer> {
  const dist = join(import.meta.dirname, "../../../planner-web/dist");
  const names = readdirSync(join(dist, "assets"));
  const renamed = (text: string): string =>
    names.reduce((all, name) => all.replaceAll(name, newName(name)), text);
  const file = (path: string): Buffer => {
    const bytes = readFileSync(join(dist, path));
    return extname(path) in TYPES ? Buffer.from(renamed(bytes.toString("utf8"))) : bytes;
  };
  return new Map([
    ["/", file("index.html")],
    ...names.map((name) => [`/assets/${newName(name)}`, file(`assets/${name}`)] as const),
  ]);
}

function newName(name: string): string {
  const end = extname(name);
  return `${name.slice(0, -end.length)}-next${end}`;
}

/** W-080 A-267 A-268: a release never breaks an open tab. */
describe("a release", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Release");
    planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await listed(planner.page);
    // The server takes its time, so that the text can be read; the page of an app that is released has it.
    await planner.context.route("**/api/auth/providers", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
  });
  afterAll(() => browser.close());

  const listed = (page: Page): Promise<void> =>
    page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  /** What the server says of a file that it no longer has. */
  const missing = (): string => `${new URL(planner.page.url()).origin}/assets/gone-1a2b3c4d.js`;
  const settings = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "UI Settings" }).click();
  };
  const reloaded = async (page: Page, act: () => Promise<void>): Promise<void> => {
    await Promise.all([page.waitForEvent("load"), act()]);
    await listed(page);
  };

  it("reloads the page when a part of it is gone, and says so", async () => {
    const { page } = planner;
    const part = "**/assets/UiSettingsDialog-*.js";
    await page.route(part, (route) => route.continue({ url: missing() }));
    await reloaded(page, async () => {
      await settings(page);
      await page.getByText(RELOADING).waitFor();
      await expect.poll(() => page.getByText("Something went wrong").count()).toBe(0);
    });
    expect(new URL(page.url()).searchParams.get("active_scenario")).toBe(String(firm.scenario.id));
    await page.unroute(part);
    await settings(page);
    await page.getByRole("dialog", { name: "UI Settings" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("waits for what is typed: the form stays, and the page reloads once it is saved", async () => {
    const { page } = planner;
    const part = "**/assets/PickPlaceDialog-*.js";
    await page.evaluate(() => sessionStorage.removeItem("lastReloadForUpdate"));
    await page.route(part, (route) => route.continue({ url: missing() }));
    await page.getByRole("button", { name: "Drivers", exact: true }).click();
    await page.getByRole("button", { name: "Edit driver Maria" }).click();
    const form = page.getByRole("dialog", { name: /Maria/ });
    await form.getByLabel("UID").fill("Maria typed");
    await form.getByRole("button", { name: "Choose on the map" }).first().click();
    await page.getByText(WAITING).waitFor();
    await page.waitForTimeout(1_500);
    await expect.poll(() => form.getByLabel("UID").inputValue()).toBe("Maria typed");
    await reloaded(page, () => form.getByRole("button", { name: "Save" }).click());
    await page.unroute(part);
    const { data } = await firm.admin.get<{ data: { uid: string }[] }>("/drivers");
    expect(data.map(({ uid }) => uid)).toContain("Maria typed");
  });

  it("takes the next build up, whose parts have other names", async () => {
    const { page, context } = planner;
    const next = nextBuild();
    await page.evaluate(() => sessionStorage.removeItem("lastReloadForUpdate"));
    await context.route(/\/(assets\/.*|\?.*)?$/, async (route) => {
      const { origin, pathname } = new URL(route.request().url());
      if (origin !== new URL(page.url()).origin) return route.fallback();
      const body = next.get(pathname);
      const contentType = TYPES[pathname === "/" ? ".html" : extname(pathname)] ?? "font/woff2";
      if (body === undefined) await route.continue({ url: missing() });
      else await route.fulfill({ body, contentType });
    });
    await reloaded(page, () => settings(page));
    const scripts = await page
      .locator("script[src]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("src") ?? ""));
    expect(scripts.some((src) => src.endsWith("-next.js"))).toBe(true);
    await settings(page);
    await page.getByRole("dialog", { name: "UI Settings" }).waitFor();
    // The browser says of a part that it is gone, and lets no page that a test hands out open a socket.
    expect(planner.faults.filter((fault) => !/dynamically imported module|WebSocket/.test(fault))).toEqual(
      [],
    );
  });

  it("leaves an open dashboard alone: it holds all its parts", async () => {
    const { page } = await open(browser);
    await signIn(page, firm.email, firm.secret);
    await page.goto("/dashboard/database/jobs");
    await page.getByText("S-1", { exact: true }).first().waitFor();
    await page.route("**/dashboard/assets/*", (route) => route.continue({ url: missing() }));
    await page.getByRole("link", { name: "Drivers" }).first().click();
    await page.getByText("Maria typed").first().waitFor();
  });
});
