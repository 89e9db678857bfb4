import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

/** Forty rows, of which the second and the last have a time that cannot be read. */
const ROWS = Array.from({ length: 40 }, (_, index) => {
  const time = index === 1 || index === 39 ? "noon" : "17:00";
  return `I-${index + 1},Customer ${index + 1},Rua ${index + 1},41.1${10 + index},-8.61,10,${time},Ring twice`;
});
const FILE = ["uid,customer_name,address,lat,lon,duration,leave_by,comments", ...ROWS].join("\n");

/** A file with faults is repaired in the import. */
describe("imports", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Imports");
    planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await planner.page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  });
  afterAll(() => browser.close());

  /** By the line of the file. */
  const cell = (dialog: Locator, row: number, field: string): Locator =>
    dialog.locator(`[role="row"][data-id="${row}"] [data-field="${field}"]`);

  async function openWithFaults(page: Page): Promise<Locator> {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Import jobs" }).click();
    const dialog = page.getByRole("dialog").last();
    await dialog.getByRole("button", { name: "Template (CSV)" }).waitFor();
    await dialog.locator('input[type="file"]').setInputFiles({
      name: "faulty.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(FILE),
    });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByText("2 of 40 rows need a correction.", { exact: false }).waitFor();
    return dialog;
  }

  it("W-021 P-467: Escape in a cell ends the editing of it, and the repairs stay", async () => {
    const { page } = planner;
    const dialog = await openWithFaults(page);
    await cell(dialog, 3, "cell:leave_by").dblclick();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("16:00");
    await page.keyboard.press("Enter");
    await dialog.getByText("1 of 40 rows need a correction.", { exact: false }).waitFor();
    await cell(dialog, 41, "cell:leave_by").dblclick();
    await page.keyboard.type("18");
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.isVisible()).toBe(true);
    await expect.poll(() => cell(dialog, 3, "cell:leave_by").innerText()).toBe("16:00");
    await expect.poll(() => cell(dialog, 41, "cell:leave_by").innerText()).toBe("noon");
    // Outside of a cell it asks before the repairs are lost.
    await dialog.getByRole("button", { name: "Choose a file" }).focus();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Discard the corrections?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Discard the corrections?" }).waitFor({ state: "detached" });
    await expect.poll(() => cell(dialog, 3, "cell:leave_by").innerText()).toBe("16:00");
  });

  it("W-026: row number and uid stay in sight wherever one scrolls", async () => {
    const { page } = planner;
    const dialog = page.getByRole("dialog", { name: /Data Mapping|Import jobs/ }).last();
    const grid = dialog.locator(".MuiDataGrid-virtualScroller");
    const places = async (): Promise<number[]> =>
      Promise.all(
        ["row", "cell:uid"].map(async (field) => (await cell(dialog, 3, field).boundingBox())?.x ?? NaN),
      );
    const before = await places();
    const comments = (await cell(dialog, 3, "cell:comments").boundingBox())?.x ?? NaN;
    await grid.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await page.waitForTimeout(200);
    await expect.poll(() => places()).toEqual(before);
    expect((await cell(dialog, 3, "cell:comments").boundingBox())?.x).toBeLessThan(comments);
    // What is in sight is the uid, not something that lies above it.
    const box = await cell(dialog, 3, "cell:uid").boundingBox();
    const top = await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest("[data-field]")?.getAttribute("data-field"),
      { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 },
    );
    expect(top).toBe("cell:uid");
  });

  it("V-06 V-11: letters of Windows are read, and a row with a cell too many is kept for repair", async () => {
    const { page } = planner;
    const dialog = page.getByRole("dialog", { name: /Data Mapping|Import jobs/ }).last();
    await dialog.getByRole("button", { name: "Choose a file" }).click();
    await page.getByRole("dialog", { name: "Discard the corrections?" }).getByRole("button").last().click();
    await dialog.locator('input[type="file"]').setInputFiles({
      name: "windows.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        [
          "Deliveries of Monday",
          "uid,customer_name,address,lat,lon",
          "W-1,José Conceição,Rua 1,41.1,-8.6",
          "W-2,Ana,Rua 2, 12,41.1,-8.6",
        ].join("\n"),
        "latin1",
      ),
    });
    await dialog.getByText("The row has 6 cells, but there are 5 columns").waitFor();
    await expect.poll(() => dialog.getByLabel("Encoding").innerText()).toBe("Western European (Windows)");
    await expect.poll(() => dialog.getByLabel("Headers are in").innerText()).toBe("Row 2");
    await dialog.getByRole("button", { name: "Import 1, keep 1 for repair" }).click();
    await dialog.getByText("2 rows: 1 created, 1 kept for repair").waitFor();
    await dialog.getByText("1 row in windows.csv").waitFor();
    await page.getByText("José Conceição").first().waitFor();
  });
});
