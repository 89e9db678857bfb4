import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { baseUrl, launch, open, signIn } from "./product.ts";

/** `YYYY-MM-DD` in so many days. */
function dayIn(days: number): string {
  const day = new Date(Date.now() + days * 24 * 3600 * 1000);
  return day.toISOString().slice(0, 10);
}

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

  it("issue 13.4: offers what plans have room for, and a word for the driver", async () => {
    const { admin } = firm;
    const path = `/organisations/${firm.organisation}/information/reschedule_settings`;
    await admin.call("PUT", path, {
      enabled: true,
      min_notice_hours: 0,
      max_days_ahead: 5,
      allowed_days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
      allow_safe_drop: true,
    });
    await admin.call("PATCH", `/scenarios/${firm.scenario.id}`, { scheduled_date: dayIn(2) });
    const job = firm.jobs.find(({ uid }) => uid === "S-3");
    await admin.call("PATCH", `/jobs/${job?.id ?? 0}`, { idm: true });

    const { page, context, faults } = await open(browser, { width: 390, height: 844 });
    await page.goto(`/tracking?tokens=${token("S-3")}`);
    await page.getByText("Tell the driver something").click();
    await page.getByLabel("Instructions for the driver").fill("<i>Ring</i> the back door");
    await page.getByLabel("Where it can be left").fill("Behind the gate");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. The driver will read it.").waitFor();
    await page.reload();
    await page.locator("dd", { hasText: "<i>Ring</i> the back door" }).waitFor();

    await page.getByText("Ask for another time").click();
    const day = page.getByLabel("Date");
    const time = page.locator("select[name=span]");
    await expect.poll(() => day.locator("option").count()).toBe(5);
    await day.selectOption(dayIn(2));
    expect(await time.locator("option").allInnerTexts()).toContain("14:00 – 16:00");
    await day.selectOption(dayIn(3));
    await page.getByLabel("From").waitFor();
    expect(await time.isVisible()).toBe(false);
    await day.selectOption(dayIn(2));
    // The plan changes while the customer thinks.
    const shift = async (shift_end: string): Promise<unknown> =>
      Promise.all(firm.runs.map(({ id }) => admin.call("PATCH", `/runs/${id}`, { shift_end })));
    await shift("13:00");
    await time.selectOption("14:00/16:00");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Nobody can be there at that time").waitFor();
    await expect.poll(() => page.locator(".near button").count()).toBe(3);
    await shift("18:00");
    await time.selectOption("14:00/16:00");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Your request has been sent").waitFor();
    await context.close();
    expect(faults).toEqual([]);
  });

  it("issue 13.4: the office accepts with one click, and the driver reads the customer's words", async () => {
    const planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await planner.page.getByRole("button", { name: "Customers ask (1)" }).click();
    const dialog = planner.page.getByRole("dialog");
    await dialog.getByText(/^Fits on (Maria|João)/).waitFor();
    await dialog.getByRole("button", { name: "Accept" }).click();
    await dialog.getByText("Nobody asks for another day.").waitFor();
    const job = await firm.admin.get<{ arrive_after: string; leave_by: string; run_id: number }>(
      `/jobs/${firm.jobs.find(({ uid }) => uid === "S-3")?.id ?? 0}`,
    );
    expect([job.arrive_after, job.leave_by]).toEqual(["14:00", "16:00"]);
    expect(planner.faults).toEqual([]);
    await planner.context.close();

    const { page, context, faults } = await open(browser, { width: 390, height: 844 });
    await page.goto(
      `/runsheet?runsheet=true&token=${firm.runs.find(({ id }) => id === job.run_id)?.token ?? ""}`,
    );
    const words = page.getByRole("region", { name: "Customer 3" }).locator("blockquote");
    await expect.poll(() => words.innerText()).toContain("<i>Ring</i> the back door");
    expect(await words.innerText()).toContain("Leave it: Behind the gate");
    await context.close();
    expect(faults).toEqual([]);
  });
});
