import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { baseUrl, launch, open } from "./product.ts";

/** Issue 13.5: somebody new rehearses a day before the first real one. */
describe("a rehearsal", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  it("is made with one click, driven by itself, turned faster, and left again", async () => {
    const { page, context, faults } = await open(browser);
    const stamp = Date.now();
    const email = `rita-${stamp}@newcomers.routewright.test`;
    const response = await fetch(`${baseUrl}/api/users/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        email,
        password: "A long enough Passw0rd",
        first_name: "Rita",
        last_name: "Ensaio",
        organisation_name: `Rehearsers ${stamp}`,
        timezone: "Europe/Lisbon",
      }),
    });
    expect(response.status).toBe(201);
    await page.goto("/");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("A long enough Passw0rd");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const consent = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Confirm" }) });
    await consent.getByRole("checkbox").check();
    await consent.getByRole("button", { name: "Confirm" }).click();

    // Offered beside the tour, where there is nothing yet.
    await page.getByRole("button", { name: "Rehearse a day" }).click();
    const dialog = page.getByRole("dialog", { name: "Rehearse a day" });
    await dialog.getByLabel("Seed").fill("seven");
    await dialog.getByText("A number from 0 to 999999").waitFor();
    await dialog.getByLabel("Seed").fill("7");
    await dialog.getByRole("button", { name: "5 times as fast", exact: true }).click();
    await dialog.getByRole("button", { name: "Start", exact: true }).click();

    const bar = page.getByRole("region", { name: "Rehearsal" });
    await bar.getByText("Rehearsal: nothing leaves").waitFor();
    // The day is planned meanwhile; then the page shows it.
    const time = bar.getByLabel("Simulated time");
    await time.waitFor({ timeout: 150_000 });
    await page.getByText("Rehearsal in Porto").first().waitFor();
    await expect.poll(() => time.innerText()).toMatch(/^0[78]:\d\d$/);

    // By the keyboard, as by the mouse.
    const fast = bar.getByRole("button", { name: "60 times as fast", exact: true });
    await fast.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => fast.getAttribute("aria-pressed")).toBe("true");
    await page
      .getByRole("button", { name: "Live" })
      .or(page.getByRole("link", { name: "Live" }))
      .first()
      .click();
    await page
      .getByText(/New proof: R-\d+/)
      .first()
      .waitFor({ timeout: 120_000 });

    await bar.getByRole("button", { name: "Pause" }).click();
    await bar.getByRole("button", { name: "Go on" }).waitFor();
    const stood = await time.innerText();
    await page.waitForTimeout(2_500);
    expect(await time.innerText()).toBe(stood);

    // The dashboard says it as well.
    await page.goto("/dashboard/");
    await page.getByRole("region", { name: "Rehearsal" }).getByText("Rehearsal: nothing leaves").waitFor();

    await page.getByRole("region", { name: "Rehearsal" }).getByRole("button", { name: "Leave" }).click();
    await page.getByText("Plan your first day").or(page.getByText("This day is empty")).first().waitFor();
    expect(await page.getByRole("region", { name: "Rehearsal" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});
