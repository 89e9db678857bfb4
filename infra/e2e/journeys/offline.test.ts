import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, type Watched } from "./product.ts";

interface List {
  data: { success: boolean; comments: string | null }[];
  total_count: number;
}

/** X-051, S-10, S-11: a driver without a connection loses nothing that was entered. */
describe("the run sheet without a connection", () => {
  let browser: Browser;
  let firm: Firm;
  let phone: Watched;
  const proofs = (): Promise<List> => firm.admin.get<List>(`/job_proofs?run_ids=${firm.runs[0]?.id}`);

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Offline");
    phone = await open(browser, { width: 390, height: 844 });
  });
  afterAll(() => browser.close());

  it("is kept on the phone once it was opened", async () => {
    const { page } = phone;
    await page.goto(`/runsheet?runsheet=true&token=${firm.runs[0]?.token}`);
    await page.getByRole("button", { name: "Start route" }).click();
    await page.getByLabel(/Start odometer/).fill("10250");
    await page.getByRole("button", { name: "Start route" }).last().click();
    await page.getByText(/^0 of \d+ stops/).waitFor();
    await page.getByRole("button", { name: "Record proof" }).first().waitFor();
    // The start is in the office before the connection goes.
    await page.getByText(/^Not sent yet/).waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(async () => (await caches.match("/runsheet")) !== undefined), {
        timeout: 20_000,
      })
      .toBe(true);
    const kept = await page.evaluate(async () =>
      (await (await caches.open("runsheet-1")).keys()).map(({ url }) => url),
    );
    expect(kept.join(" ")).not.toContain(firm.runs[0]?.token);
    expect(kept.every((url) => !new URL(url).pathname.startsWith("/api"))).toBe(true);
    // The map of the run, before anybody has looked at it.
    const parts = (): Promise<number> =>
      page.evaluate(async () => (await (await caches.open("maps-of-runs-1")).keys()).length);
    await expect.poll(parts, { timeout: 60_000 }).toBeGreaterThan(5);
  });

  it("opens again without a connection, and keeps proofs and half-filled forms over a reload", async () => {
    const { page, context } = phone;
    await context.setOffline(true);
    await page.reload();
    await page.getByText(/^No connection\. You see the run sheet as of/).waitFor();
    await page.getByRole("button", { name: "Show map" }).click();
    await page.getByRole("region", { name: "Map of jobs and runs" }).locator("canvas").waitFor();
    const cards = page.locator(".ph-card");
    const stops = page.getByRole("button", { name: /^Stop \d+: / });
    await expect.poll(() => stops.count()).toBe(await cards.count());
    await stops.last().press("Enter");
    await expect.poll(() => inView(cards.last())).toBe(true);
    await page.getByRole("button", { name: "Hide map" }).click();
    await page.getByRole("button", { name: "Record proof" }).first().click();
    await page.getByRole("button", { name: "Not delivered" }).click();
    await page.getByLabel("Reason").selectOption("Not home");
    await page.getByLabel("Comments").fill("Nobody opened");
    await page.getByRole("button", { name: "Save proof" }).click();
    await page.getByText(/^Not sent yet: 1\./).waitFor();

    await page.getByRole("button", { name: "Record proof" }).first().click();
    await page.getByLabel("Comments").fill("Left at the gate");
    // What is typed is kept when it has rested.
    await page.waitForTimeout(600);
    await page.reload();
    await page.getByText(/^Not sent yet: 1\./).waitFor();
    await page.getByRole("button", { name: "Record proof" }).first().click();
    await expect.poll(() => page.getByLabel("Comments").inputValue()).toBe("Left at the gate");
    await page.getByRole("button", { name: "Back" }).click();
    expect((await proofs()).total_count).toBe(0);
  });

  it("sends everything once when the connection is back", async () => {
    const { page, context } = phone;
    await context.setOffline(false);
    await expect.poll(async () => (await proofs()).total_count, { timeout: 40_000 }).toBe(1);
    await page.getByText(/^1 of \d+ stops/).waitFor();
    expect((await proofs()).data).toMatchObject([{ success: false, comments: "Nobody opened" }]);
    await expect.poll(() => page.getByText(/^Not sent yet/).count()).toBe(0);
  });
});

function inView(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return top < window.innerHeight && bottom > 0;
  });
}
