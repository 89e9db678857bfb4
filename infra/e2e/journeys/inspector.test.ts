import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

/** W-113: details stand beside the map that they are about, and are edited there; the dialogs stay. */
describe("the inspector", () => {
  let browser: Browser;
  let firm: Firm;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Inspector");
    watched = await open(browser);
    page = watched.page;
    // All that a form wants to know.
    const whole = { size: "boxes:1", spec_type: "chilled" };
    await firm.admin.call("PATCH", `/jobs/${firm.jobs.find(({ uid }) => uid === "S-2")?.id ?? 0}`, whole);
    await signIn(page, firm.email, firm.secret);
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await job("S-1").waitFor();
  });
  afterAll(() => browser.close());

  const job = (uid: string): Locator =>
    page.getByRole("list", { name: "Jobs" }).getByRole("listitem").filter({ hasText: uid }).first();
  const details = (uid: string): Locator => page.getByRole("button", { name: `Details ${uid}` });
  const inspector = (): Locator => page.getByRole("complementary", { name: "Details beside the map" });
  const shows = (title: RegExp): Promise<void> => inspector().getByRole("heading", { name: title }).waitFor();

  it("takes over from the dialog, leaves the map to the hands, and follows what is marked", async () => {
    await details("S-1").click();
    const dialog = page.getByRole("dialog", { name: /^Job Details – S-1/ });
    await dialog.getByText("Customer 1").waitFor();
    await dialog.getByRole("button", { name: "Show beside the map" }).click();
    await shows(/S-1/);
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await job("S-2").click();
    await shows(/S-2/);
    await inspector().getByText("Customer 2").waitFor();
    await page.getByRole("button", { name: "Zoom in" }).click();
  });

  it("edits in place, asks before typing is lost, and comes back to the details", async () => {
    await inspector().getByRole("button", { name: "Edit", exact: true }).click();
    const comments = inspector().getByLabel("Comments", { exact: true });
    await comments.fill("Gate two");
    await details("S-3").click();
    const question = page.getByRole("dialog", { name: "Discard what you typed?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await inspector().getByRole("button", { name: "Close" }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    expect(await comments.inputValue()).toBe("Gate two");
    await inspector().getByRole("button", { name: "Update job" }).click();
    await shows(/^Job Details – S-2/);
    await inspector().getByText("Gate two").waitFor();
  });

  it("shows a run, is there again on a new page, and makes room for the dialog", async () => {
    await inspector().getByRole("button", { name: "Run Details" }).click();
    await shows(/^Run Details/);
    await inspector().getByRole("button", { name: "Close" }).press("Escape");
    await inspector().waitFor({ state: "detached" });
    await page.reload();
    await details("S-4").click();
    await shows(/S-4/);
    await inspector().getByRole("button", { name: "Show as a dialog" }).click();
    await page.getByRole("dialog", { name: /^Job Details – S-4/ }).waitFor();
    expect(await inspector().count()).toBe(0);
    expect(watched.faults).toEqual([]);
  });
});
