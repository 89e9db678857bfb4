import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

/** W-103: what a planner does often goes by a key, and what was wrong is taken back. */
describe("keys and steps", () => {
  let browser: Browser;
  let firm: Firm;
  let office: Watched;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Keys");
    office = await open(browser);
    page = office.page;
    await signIn(page, firm.email, firm.secret);
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await page
      .getByRole("button", { name: firm.runs[0]?.uid ?? "" })
      .first()
      .waitFor();
  });
  afterAll(() => browser.close());

  const runOf = async (uid: string): Promise<number | null> => {
    const path = `/jobs?scenario_ids=${firm.scenario.id}&per_page=100`;
    const { data } = await firm.admin.call<{ data: { uid: string; run_id: number | null }[] }>("GET", path);
    return data.find((job) => job.uid === uid)?.run_id ?? null;
  };
  const [first, second] = ["undo", "redo"].map((name) => new RegExp(`^${name}$`, "i"));

  it("W-103 takes a move back by button and by key, and does it again", async () => {
    const undo = page.getByRole("button", { name: first });
    const redo = page.getByRole("button", { name: second });
    const job = firm.jobs[0];
    const was = await runOf(job?.uid ?? "");
    await firm.admin.call("PUT", "/runs/move_job_to_new/unserved", { job_ids: [job?.id] });
    await expect.poll(() => undo.isEnabled()).toBe(true);
    expect(await redo.isDisabled()).toBe(true);
    await undo.click();
    await page.getByText("Undone: move of jobs").waitFor();
    expect(await runOf(job?.uid ?? "")).toBe(was);
    await expect.poll(() => redo.isEnabled()).toBe(true);
    await page.locator("main").focus();
    await page.keyboard.press("Control+Shift+Z");
    await page.getByText("Done again: move of jobs").waitFor();
    expect(await runOf(job?.uid ?? "")).toBeNull();
    await page.keyboard.press("Control+z");
    await expect.poll(() => runOf(job?.uid ?? "")).toBe(was);
  });

  it("W-103 finds commands, runs and jobs by name, and says their keys", async () => {
    await page.locator("main").focus();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Commands" });
    await dialog
      .getByRole("option", { name: /^New job/ })
      .getByText("N", { exact: true })
      .waitFor();
    await page.keyboard.type(firm.jobs[3]?.uid ?? "");
    await dialog
      .getByRole("option", { name: firm.jobs[3]?.uid ?? "" })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    const details = page.getByRole("dialog").filter({ hasText: firm.jobs[3]?.uid ?? "" });
    await details.waitFor();
    // A key behind a dialog does nothing.
    await page.keyboard.press("n");
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await dialog.getByLabel("Command, job or run").fill("nothing of that name");
    await dialog.getByText("Nothing is called that.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("W-103 leads past the bar to the map at the first Tab", async () => {
    await page.reload();
    await page
      .getByRole("button", { name: firm.runs[0]?.uid ?? "" })
      .first()
      .waitFor();
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the map" });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    expect(await page.locator("main").evaluate((main) => main === document.activeElement)).toBe(true);
  });

  it("W-103 opens the plans of the days before and after", async () => {
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const later = await firm.admin.call<{ id: number }>("POST", "/scenarios", {
      name: "Later day",
      scheduled_date: day,
    });
    await page.getByRole("button", { name: "Next day" }).click();
    await page.getByRole("button", { name: /Later day/ }).waitFor();
    await expect.poll(() => page.url()).toContain(`active_scenario=${later.id}`);
    await page.locator("main").focus();
    await page.keyboard.press("]");
    await page.getByText("No plan of another day lies there.").waitFor();
    await page.keyboard.press("[");
    await page.getByRole("button", { name: /Keys day/ }).waitFor();
    expect(office.faults).toEqual([]);
  });
});
