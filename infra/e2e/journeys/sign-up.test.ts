import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, open } from "./product.ts";

/** W-092: somebody new makes an organisation and is led into it. */
describe("signing up", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  it("W-092: leads from the sign-in page to the tour, and says what is wrong with what was typed", async () => {
    const { page, context, faults } = await open(browser);
    await page.goto("/");
    await page.getByRole("button", { name: "New here? Create an organisation" }).click();
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa"]).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    const stamp = Date.now();
    await page.getByLabel("Organisation").fill(`Newcomers ${stamp}`);
    await page.getByLabel("First name").fill("Ana");
    await page.getByLabel("Last name").fill("Nova");
    await page.getByLabel("Email").fill(`ana-${stamp}@newcomers.routewright.test`);
    await page.getByLabel("Password", { exact: true }).fill("short");
    const create = page.getByRole("button", { name: "Create", exact: true });
    await create.click();
    await page.getByText(/at least \d+ characters/i).waitFor();
    await page.getByLabel("Password", { exact: true }).fill("A long enough Passw0rd");
    await create.click();
    const dialog = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Confirm" }) });
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Plan your first day").or(page.getByText("This day is empty")).first().waitFor();
    await page.getByRole("button", { name: /tour/i }).first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
