import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api, launch, open, signIn, type Watched } from "./product.ts";

interface Made {
  id: number;
}

interface Billing {
  bill: { version: number; total: number } | null;
  now: { total: number };
}

/** W-060, W-061, W-066: a run is validated, its rate changes, the difference is seen and accepted. */
describe("a bill", () => {
  let browser: Browser;
  let admin: Watched;
  let api: Api;
  let run = 0;
  const client = `Mercearia ${Date.now()}`;
  let rate = 0;
  const day = new Date().toISOString().slice(0, 10);
  const billing = (): Promise<Billing> => api.get<Billing>(`/runs/${run}/bill`);

  beforeAll(async () => {
    browser = await launch();
    admin = await open(browser);
    api = await Api.as("admin");
    const mark = Date.now();
    const scenario = await api.call<Made>("POST", "/scenarios", {
      name: `Bills ${mark}`,
      scheduled_date: day,
    });
    const driver = await api.call<Made>("POST", "/drivers", { uid: `Bill ${mark}` });
    const made = { scenario_id: scenario.id, driver_id: driver.id };
    run = (await api.call<Made>("POST", "/runs", made)).id;
    const terms = { cost_per_run: 20, cost_per_km: 0.5, cost_per_hour: 18, cost_per_drop: 1.5 };
    rate = (await api.call<Made>("POST", "/billing_rates", { name: `Rate ${mark}`, ...terms })).id;
    const { id: client_id } = await api.call<Made>("POST", "/clients", { uid: client, name: client });
    const job = await api.call<Made>("POST", "/jobs", {
      client_id,
      uid: `Bill ${mark}`,
      scenario_id: scenario.id,
      location: { address: "Rua de Cedofeita 1, Porto", lat: 41.151, lon: -8.616 },
    });
    const moved = { job_ids: [job.id], seq: null, pool: false };
    await api.call("PUT", `/runs/move_job_to_new/${run}`, moved);
    const end = Date.now() - 60_000;
    const start = new Date(end - 3_600_000).toISOString();
    await api.call("PATCH", `/runs/${run}`, {
      billing_rate_id: rate,
      billing_start_time: start,
      actual_start_time: start,
      actual_end_time: new Date(end).toISOString(),
      start_odometer: 1000,
      end_odometer: 1040,
      force: true,
    });
    await signIn(admin.page, "admin");
  });
  afterAll(() => browser.close());

  it("W-060 asks before stops without a proof are left uncharged", async () => {
    const { page } = admin;
    await page.goto(`/dashboard/database/runs/${run}`);
    await page.getByRole("button", { name: "Validate" }).click();
    // The plan is shorter than what was driven.
    await page.getByRole("button", { name: "Yes, Validate Run" }).click();
    await page.getByText("The rate charges drops, but none of 1 stops has a proof").waitFor();
    expect((await billing()).bill).toBeNull();
    await page.getByRole("button", { name: "Yes, validate" }).click();
    await page.getByText("Validated run").first().waitFor();
    expect((await billing()).bill).toMatchObject({ version: 1, total: 58 });
  });

  it("W-061 shows the difference and bills it when it is accepted, with a reason", async () => {
    const { page } = admin;
    await api.call("PATCH", `/billing_rates/${rate}`, { cost_per_run: 30 });
    await page.goto(`/dashboard/database/runs/${run}`);
    await page.getByRole("tab", { name: "Billing" }).click();
    const bill = page.getByRole("region", { name: "Bill" });
    await bill.getByText("58.00 ").first().waitFor();
    await bill.getByText("68.00").first().waitFor();
    await bill.getByRole("button", { name: "Accept difference" }).click();
    const dialog = page.getByRole("dialog", { name: "Bill the run as it stands now?" });
    await dialog.getByRole("textbox", { name: "Reason" }).fill("New contract since Monday");
    await dialog.getByRole("button", { name: "Accept difference" }).click();
    await bill.getByText("Version 2, difference accepted").waitFor();
    expect((await billing()).bill).toMatchObject({ version: 2, total: 68 });
  });

  it("W-066 sums what is validated by itself", async () => {
    const { page } = admin;
    const filter = encodeURIComponent(JSON.stringify({ run_id: run }));
    await page.goto(`/dashboard/costing_management/run_cost_calculator?filter=${filter}`);
    const totals = page.getByRole("region", { name: "Totals" });
    await totals.getByRole("cell", { name: "68.00" }).last().waitFor();
    await expect.poll(() => totals.getByRole("rowheader").allInnerTexts()).toEqual(["Validated"]);
  });

  it("W-066 finds the runs that differ from their bill", async () => {
    const { page } = admin;
    await api.call("PATCH", `/billing_rates/${rate}`, { cost_per_run: 31 });
    const filter = encodeURIComponent(JSON.stringify({ run_id: run, difference: "true" }));
    await page.goto(`/dashboard/costing_management/run_cost_calculator?filter=${filter}`);
    await page.getByRole("cell", { name: "1.00", exact: true }).first().waitFor();
    await api.call("PATCH", `/billing_rates/${rate}`, { cost_per_run: 30 });
    await page.reload();
    await page.getByText("No results were found").first().waitFor();
  });

  it("W-066 makes a client's statement of a period", async () => {
    const { page } = admin;
    await page.goto(`/dashboard/costing_management/run_cost_calculator`);
    await page.getByRole("button", { name: "Statement" }).click();
    const dialog = page.getByRole("dialog", { name: "Statement of a period" });
    const make = dialog.getByRole("button", { name: "Make statement" });
    await make.click();
    await dialog.getByText("Choose a client").waitFor();
    await dialog.getByRole("combobox", { name: /^Client/ }).fill(client);
    await page.getByRole("option", { name: client }).click();
    const shown = day.replaceAll("-", "/");
    await dialog.getByRole("textbox", { name: /^From/ }).fill(shown);
    await dialog.getByRole("textbox", { name: /^Until/ }).fill(shown);
    const [file] = await Promise.all([page.waitForEvent("download"), make.click()]);
    expect(file.suggestedFilename()).toBe(`statement-${day}-${day}.pdf`);
    await dialog.waitFor({ state: "hidden" });
    expect(admin.faults).toEqual([]);
  });
});
