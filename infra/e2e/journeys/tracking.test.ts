import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { baseUrl, launch, open } from "./product.ts";

/** W-105, W-112: the customer's page tells the truth, and tells it without scripts too. */
describe("the customer's page", () => {
  let browser: Browser;
  let firm: Firm;
  const token = (uid: string): string => firm.jobs.find((job) => job.uid === uid)?.tracking_token ?? "";

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Customers");
    const [last] = firm.jobs.slice(-1);
    const off = { job_ids: [last?.id], seq: null, pool: false };
    await firm.admin.call("PUT", "/runs/move_job_to_new/unserved", off);
  });
  afterAll(() => browser.close());

  it("can be read without scripts, and asks for a number that opens something", async () => {
    const context = await browser.newContext({ baseURL: baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/tracking");
    await page.getByLabel("Tracking number").fill(token("S-2"));
    await page.getByRole("button", { name: "Add delivery" }).click();
    await page.getByText("Customer 2").waitFor();
    await expect.poll(() => page.locator("article strong.state").innerText()).toBe("Planned");
    await expect.poll(() => page.getByRole("button", { name: "Show on the map" }).isVisible()).toBe(false);
    await page.goto("/tracking?tokens=AAAAAAAAAAAA");
    await page.getByText("Job not found.").waitFor();
    await context.close();
  });

  it("adds deliveries and the map where there are scripts, and says what is not planned", async () => {
    const { page, context, faults } = await open(browser, { width: 390, height: 844 });
    await page.goto(`/tracking?tokens=${token("S-2")}`);
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
    });
    const unserved = firm.jobs.slice(-1)[0]?.uid ?? "";
    await page.getByLabel("Tracking number").fill(token(unserved));
    await page.getByRole("button", { name: "Add delivery" }).click();
    await expect.poll(() => page.locator("article").count()).toBe(2);
    await expect
      .poll(() => page.locator("article strong.state").allInnerTexts())
      .toEqual(["Planned", "Not planned yet"]);
    // Nothing of the app is fetched before the map is asked for.
    expect(scripts.filter((path) => path.startsWith("/assets/") && !path.includes("preload"))).toEqual([]);
    await page.getByRole("button", { name: "Show on the map" }).first().click();
    await page.getByRole("region", { name: /^Rua \d, Porto/ }).waitFor();
    await page.locator(".maplibregl-marker").first().waitFor();
    await context.close();
    expect(faults).toEqual([]);
  });
});
