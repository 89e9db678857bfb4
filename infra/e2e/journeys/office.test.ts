import type { Browser, Page } from "playwright-core";
import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { found, type Firm } from "./firm.ts";
import { Api, launch, open, signIn } from "./product.ts";

describe("the office's dashboard", () => {
  let browser: Browser;
  let firm: Firm;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Office");
  });
  afterAll(() => browser.close());

  /** A user of the firm with a role of these levels. */
  async function person(levels: string[]): Promise<string> {
    const stamp = `${levels.length}-${Date.now()}`;
    const role = await firm.admin.call<{ id: number }>("POST", "/roles", {
      name: `Role ${stamp}`,
      access_levels: levels,
    });
    const email = `small-${stamp}@office.routewright.test`;
    const user = { email, password: firm.secret, first_name: "Eva", last_name: "Reis", role_id: role.id };
    await firm.admin.call("POST", "/users", user);
    return email;
  }

  it("home shows the day's figures, each with its course and the list behind it", async () => {
    const { page, context, faults } = await open(browser);
    await signIn(page, firm.email, firm.secret);
    await page.goto("/dashboard");
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    const served = page.getByRole("region", { name: "Jobs served" });
    await served.getByRole("img", { name: /^Jobs served from .* between/ }).waitFor();
    await served.locator("svg").first().waitFor();
    await page.getByText(/: 1 run with 8 jobs$/).waitFor();
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa"]).analyze();
    expect(violations.map(({ id, nodes }) => `${id} ${String(nodes[0]?.target)}`)).toEqual([]);
    await page.getByRole("button", { name: "As a table" }).click();
    await page.getByRole("columnheader", { name: "Distance per stop" }).waitFor();
    await page.getByRole("button", { name: "As a table" }).click();
    await page.getByRole("link", { name: /^Distance per stop: .*list behind it/ }).click();
    await page.getByRole("heading", { level: 1, name: "Search runs" }).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    // W-091: the way to a run ends in its name.
    await page.getByRole("link", { name: firm.runs[0]?.uid }).first().click();
    await page
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByText(firm.runs[0]?.uid ?? "?")
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("W-088: small roles land where they may be", async () => {
    const nothing = await open(browser);
    await signIn(nothing.page, await person([]), firm.secret);
    await nothing.page.goto("/dashboard");
    await nothing.page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await expect.poll(() => nothing.page.getByText(/not authorized/i).count()).toBe(0);
    await nothing.context.close();

    const shop = await open(browser);
    await signInOnly(shop.page, await person(["customer_view_read", "customer_view_login"]));
    await shop.page.waitForURL("**/customerview");
    await shop.page.goto("/dashboard");
    await shop.page.waitForURL("**/customerview");
    await expect.poll(() => shop.page.getByRole("button", { name: "Sign in", exact: true }).count()).toBe(0);
    await shop.context.close();
  });

  it("W-087: operators land where they see how the platform stands", async () => {
    const { page, context } = await open(browser);
    await signInOnly(page, "operator@master.routewright.test", "routewright-demo");
    await page.waitForURL("**/dashboard/**");
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByRole("heading", { level: 1, name: "Health of organisations" }).waitFor();
    await page.getByRole("row").filter({ hasText: "Office" }).first().getByText("Ready").waitFor();
    await page.goto("/dashboard/platform/dead_letters");
    await page
      .getByText(/Nothing has failed|Attempts/)
      .first()
      .waitFor();
    await page.goto("/dashboard/platform/record");
    await page.getByRole("row").filter({ hasText: "Organisation created" }).first().waitFor();
    await context.close();
  });

  it("W-087: an operator backs an organisation up and restores it, after its name was typed", async () => {
    const { page, context, faults } = await open(browser);
    await signInOnly(page, "operator@master.routewright.test", "routewright-demo");
    await page.waitForURL("**/dashboard/**");
    await page.goto(healthOf("Master"));
    await page
      .getByRole("row")
      .filter({ hasText: "Master" })
      .getByRole("button", { name: "Backups" })
      .waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Suspend" }).count()).toBe(0);
    const { name } = await organisation();
    await page.goto(healthOf(name));
    await page.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "Backups" }).click();
    const dialog = page.getByRole("dialog", { name: `Backups of ${name}` });
    await dialog.getByText("There is no backup yet.").waitFor();
    await dialog.getByRole("button", { name: "Back up now" }).click();
    await dialog.getByText(/^Backing up was finished/).waitFor();
    await firm.admin.call("POST", "/tags", { name: "After the backup" });
    await dialog.getByRole("button", { name: "Restore" }).click();
    const restore = page.getByRole("dialog", { name: `Restore ${name}` });
    await restore.getByLabel(`Type the name to confirm: ${name}`).fill(name);
    await restore.getByRole("button", { name: "Restore" }).click();
    await dialog.getByText(/^Restoring was finished/).waitFor({ timeout: 60_000 });
    // What was there before is a backup too.
    await expect.poll(() => dialog.getByRole("listitem").count()).toBe(2);
    await expect
      .poll(
        async () =>
          (await firm.admin.get<{ total_count: number }>("/tags?name=After the backup")).total_count,
      )
      .toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("W-087: open screens of a suspended organisation end at once, and its links say so kindly", async () => {
    const { page, context } = await open(browser);
    await signIn(page, firm.email, firm.secret);
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
    const operator = await Api.as("operator");
    const { id, name } = await organisation();
    const path = `/operators/organisations/${id}`;
    await operator.call("POST", `${path}/suspend`, { name, reason: "Unpaid" });
    // Nobody touches the screen.
    await page.getByText(/Your organisation is suspended. Nothing is lost./).waitFor();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    const customer = await open(browser, { width: 390, height: 844 });
    await customer.page.goto(`/tracking?tokens=${firm.jobs[0]?.tracking_token}`);
    await customer.page.getByText(/not available at the moment. Nothing is lost./).waitFor();
    await customer.page.goto(`/runsheet?runsheet=true&token=${firm.runs[0]?.token}`);
    await customer.page
      .getByText(/not available at the moment. Nothing is lost./)
      .first()
      .waitFor();
    await operator.call("POST", `${path}/resume`, {});
    await customer.page.goto(`/tracking?tokens=${firm.jobs[0]?.tracking_token}`);
    await customer.page
      .getByText(firm.jobs[0]?.uid ?? "?")
      .first()
      .waitFor();
    await customer.context.close();
    await context.close();
  });

  /** The page of health, narrowed to an organisation. */
  function healthOf(name: string): string {
    return `/dashboard/platform/standing?filter=${encodeURIComponent(JSON.stringify({ search: name }))}`;
  }

  /** The firm as operators know it. */
  async function organisation(): Promise<{ id: number; name: string }> {
    const { organisation: own } = await firm.admin.get<{ organisation: { id: number; name: string } }>(
      "/auth/user",
    );
    return own;
  }

  /** Signs in without waiting for the map: who is restricted to a view never sees it. */
  async function signInOnly(page: Page, email: string, secret = firm.secret): Promise<void> {
    await page.goto("/");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(secret);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const agree = page.getByRole("dialog").getByRole("checkbox");
    const arrived = page.getByRole("main").or(agree).first();
    await arrived.waitFor();
    if (await agree.isVisible()) {
      await agree.check();
      await page.getByRole("button", { name: "Confirm" }).click();
    }
  }
});
