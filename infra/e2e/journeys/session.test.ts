import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn } from "./product.ts";

const LOST = "Connection lost, trying again…";

type Fault = (route: Route) => Promise<void>;

const faults: Readonly<Record<string, Fault>> = {
  "503": (route) => route.fulfill({ status: 503, body: "<html>", contentType: "text/html" }),
  "429 with Retry-After": (route) =>
    route.fulfill({
      status: 429,
      headers: { "Retry-After": "1" },
      json: { title: "429", description: "Slower" },
    }),
  "no answer": (route) => route.abort("connectionreset"),
  // The server did it, and its answer was lost on the way.
  "a lost answer": async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  },
};

/** W-081, W-082, W-116: sessions end when they are ended, and then leave nothing behind. */
describe("the session", () => {
  let browser: Browser;
  let firm: Firm;
  let other: Firm;
  let page: Page;
  let context: BrowserContext;

  beforeAll(async () => {
    browser = await launch();
    [firm, other] = [await found("Session"), await found("Neighbour")];
    ({ page, context } = await open(browser));
    await signIn(page, firm.email, firm.secret);
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await listed();
  });
  afterAll(() => browser.close());

  const listed = (): Promise<void> =>
    page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  const kept = (): Promise<string | null> =>
    page.evaluate(() => sessionStorage.getItem("authToken") ?? localStorage.getItem("authToken"));
  /** From now on the access token counts as expired until it is renewed, which meets the fault first. */
  const hiccup = async (fault: Fault): Promise<() => void> => {
    let [expired, faulty] = [true, true];
    await page.route("**/api/**", async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.endsWith("/auth/refresh_token")) {
        if (faulty) return fault(route);
        await route.fallback();
        expired = false;
      } else if (expired && route.request().headers()["authorization"] !== undefined) {
        await route.fulfill({
          status: 401,
          json: { title: "401 Unauthorized", description: "Incorrect or expired token" },
        });
      } else await route.fallback();
    });
    return () => {
      faulty = false;
    };
  };

  it.each(Object.keys(faults).map((name, n) => [name, `S-${n + 1}`] as const))(
    "goes on after %s: shown, tried again, and the work is done",
    async (name, uid) => {
      const before = await kept();
      const over = await hiccup(faults[name] ?? (() => Promise.resolve()));
      await page.getByRole("button", { name: `Details ${uid}` }).click();
      await page.getByText(LOST).waitFor();
      await expect.poll(() => kept()).toBe(before);
      over();
      await page
        .getByRole("dialog", { name: /^Job Details/ })
        .getByText("Ring twice")
        .waitFor();
      await page.getByText(LOST).waitFor({ state: "detached" });
      await expect.poll(() => kept()).not.toBe(before);
      await page.unroute("**/api/**");
      await page.keyboard.press("Escape");
    },
  );

  it("is taken up again on a page that is opened while the server is away", async () => {
    let away = true;
    await page.route("**/api/users/login/from_token", (route) =>
      away ? route.fulfill({ status: 503, body: "" }) : route.fallback(),
    );
    await page.reload();
    await page.getByText(LOST).waitFor();
    await expect.poll(() => page.getByLabel("Password", { exact: true }).count()).toBe(0);
    away = false;
    await listed();
    await page.unroute("**/api/users/login/from_token");
  });

  it("stays where it is without a network: the plan can be read, and what failed is loaded again", async () => {
    await context.setOffline(true);
    await page.getByText(LOST).waitFor();
    await page.getByRole("button", { name: "Runs", exact: true }).click();
    await page.getByRole("list", { name: "Runs" }).getByRole("listitem").first().waitFor();
    await expect.poll(() => page.getByText("Something went wrong").count()).toBe(0);
    await context.setOffline(false);
    await page.getByText(LOST).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Jobs", exact: true }).click();
  });

  it("ends by a refusal alone, and says so; whoever signs in again is where it ended", async () => {
    const token = await kept();
    await firm.admin.call("POST", "/auth/logout", { refresh_token: token });
    // Whatever the page asks for next is refused. That need not be this: then it is gone before the click.
    const asked = page.getByRole("button", { name: "Details S-7" }).click({ timeout: 5_000 });
    await asked.catch(() => undefined);
    await page.getByText("Your session has ended. Please sign in again.").waitFor();
    await expect.poll(() => kept()).toBeNull();
    await page.getByLabel("Email").fill(firm.email);
    await page.getByLabel("Password", { exact: true }).fill(firm.secret);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await listed();
    expect(new URL(page.url()).searchParams.get("active_scenario")).toBe(String(firm.scenario.id));
  });

  it("W-082 A-244: nothing of the one who left is there for the next one on the same page", async () => {
    await page
      .getByLabel(/search/i)
      .first()
      .fill("Customer 3");
    await page.evaluate(() => Object.assign(globalThis, { leftBehind: true }));
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Tutorial" }).click();
    await page.getByLabel(/Depot location/).fill("41.1553, -8.6103");
    await page.getByRole("button", { name: "Next", exact: true }).focus();
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByLabel("Email").fill(other.email);
    const left = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    );
    expect(left).not.toMatch(/authToken|mapView|41\.1|Customer/);
    await page.getByLabel("Password", { exact: true }).fill(other.secret);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const consent = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Confirm" }) });
    await consent.getByRole("checkbox").check();
    await consent.getByRole("button", { name: "Confirm" }).click();
    await listed();
    await expect.poll(() => page.evaluate(() => "leftBehind" in globalThis)).toBe(false);
    expect(
      await page
        .getByLabel(/search/i)
        .first()
        .inputValue(),
    ).toBe("");
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Tutorial" }).click();
    await expect.poll(() => page.getByLabel(/Depot location/).inputValue()).toBe("");
    await expect.poll(() => page.locator("body").innerText()).not.toContain("Session day");
  });

  it("W-116: a link into the dashboard is followed after the sign-in", async () => {
    const { page } = await open(browser);
    await page.goto("/dashboard/database/drivers");
    await page.getByLabel("Email").fill(firm.email);
    await page.getByLabel("Password", { exact: true }).fill(firm.secret);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/dashboard/database/drivers");
    await page.getByText("Maria").first().waitFor();
    await page.context().close();
  });
});
