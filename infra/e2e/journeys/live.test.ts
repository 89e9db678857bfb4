import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

/** The day as it runs, in the live overview and on a phone. */
describe("live overview", () => {
  let browser: Browser;
  let firm: Firm;
  let office: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Live");
    office = await open(browser);
    await signIn(office.page, firm.email, firm.secret);
    await office.page.goto(`/liveview?active_scenario=${firm.scenario.id}`);
    await office.page.getByRole("heading", { name: "Exceptions" }).waitFor();
  });
  afterAll(() => browser.close());

  const job = (uid: string): number => firm.jobs.find((one) => one.uid === uid)?.id ?? 0;

  it("W-108 X-054 X-055: the timeline begins at now, and nothing can be changed", async () => {
    const { page } = office;
    const timeline = page.getByRole("region", { name: "Timeline" });
    const now = timeline
      .getByText(/^\d\d:\d\d$/)
      .and(timeline.locator(".MuiTypography-root"))
      .filter({
        hasText: new Date().toLocaleTimeString("en-GB", {
          hour: "2-digit",
          minute: "2-digit",
          timeZone: "Europe/Lisbon",
        }),
      });
    const place = await now.last().boundingBox();
    const room = await timeline.boundingBox();
    expect(place?.x).toBeGreaterThan((room?.x ?? 0) + 100);
    expect(place?.x).toBeLessThan((room?.x ?? 0) + (room?.width ?? 0));
    expect(await page.getByRole("button", { name: "Optimise" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "New job" }).count()).toBe(0);
  });

  it("W-108 W-001: what goes wrong comes to the top by itself, counted, and leads to its job and run", async () => {
    const { page } = office;
    const list = page.getByRole("list", { name: "Exceptions" });
    await page.getByText("Everything goes as planned.").waitFor();
    await firm.admin.call("PUT", "/runs/move_job_to_new/unserved", {
      job_ids: [job("S-8")],
      seq: null,
      pool: false,
    });
    await list.getByText("S-8 · Customer 8").waitFor();
    await page.getByRole("button", { name: "Problems 1" }).waitFor();
    await firm.admin.call("PATCH", `/jobs/${job("S-1")}`, { leave_by: "07:00" });
    await list.getByText("S-1 · Customer 1").waitFor();
    expect(await list.getByRole("listitem").first().innerText()).toContain("S-1");
    await page.getByRole("button", { name: "Late 1" }).click();
    await list.getByText("S-8 · Customer 8").waitFor({ state: "detached" });
    await list.getByRole("button", { name: "Details S-1" }).click();
    await page.getByRole("dialog", { name: /^Job Details/ }).waitFor();
    await page.keyboard.press("Escape");
    await list.getByRole("button", { name: /^Run Details / }).click();
    await page.getByRole("dialog", { name: /^Run Details/ }).waitFor();
    expect(office.faults).toEqual([]);
  });

  it("W-010 P-383: the customer view tells no time of the plan, neither in lists nor in the timeline", async () => {
    const { page } = office;
    const time = /\d\d:\d\d/;
    const told = async (): Promise<string> => {
      const stop = page.getByRole("region", { name: "Timeline" }).getByRole("button", { name: /S-1/ });
      await stop.first().hover();
      await page.getByRole("tooltip").waitFor();
      const labels = await page
        .locator("[aria-label]")
        .evaluateAll((all) => all.map((element) => element.getAttribute("aria-label")));
      return [await page.locator("body").innerText(), ...labels].join("\n");
    };
    const jobs = page.getByRole("list", { name: "Jobs" }).getByRole("listitem");
    const runs = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
    const showRuns = (): Promise<void> =>
      page.getByRole("navigation").getByRole("button", { name: "Runs" }).click();

    // The window that was agreed with the customer is his to see.
    await firm.admin.call("PATCH", `/jobs/${job("S-1")}`, { leave_by: null });
    await page.goto(`/customerview?active_scenario=${firm.scenario.id}`);
    await jobs.first().waitFor();
    expect(await told()).not.toMatch(time);
    await showRuns();
    await runs
      .first()
      .getByRole("button", { name: /^Stops/ })
      .click();
    await runs.first().getByRole("listitem").first().waitFor();
    expect(await told()).not.toMatch(time);

    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await jobs.first().waitFor();
    expect(await told()).toMatch(time);
    expect(office.faults).toEqual([]);
  });

  it("W-029: on a phone the job panel's list is one touch away, and saving in reach", async () => {
    const { page, context } = await open(browser, { width: 390, height: 844 });
    await signIn(page, firm.email, firm.secret);
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await page.getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Bulk Create Jobs" }).click();
    const panel = page.getByRole("dialog", { name: "Bulk Create Jobs" });
    await panel.getByRole("button", { name: "List of jobs" }).click();
    await panel.getByRole("button", { name: "Edit S-2", exact: true }).click();
    await panel.getByText("Edit Job S-2").waitFor();
    const save = await panel.getByRole("button", { name: "Update job" }).boundingBox();
    expect((save?.y ?? 9999) + (save?.height ?? 0)).toBeLessThanOrEqual(844);
    expect((save?.x ?? 9999) + (save?.width ?? 0)).toBeLessThanOrEqual(390);
    await context.close();
  });
});
