import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api, baseUrl, launch, open, signIn, type Watched } from "./product.ts";

const jobsFile = fileURLToPath(new URL("../../local/data/porto/jobs.csv", import.meta.url));

interface Job {
  id: number;
  uid: string;
  run_id: number | null;
  seq: number | null;
  eta: string | null;
  tracking_token: string;
}
interface Run {
  id: number;
  uid: string;
  token: string;
  distance: number;
  total_job_duration: number;
  planned_end_time: string | null;
  dispatched: boolean;
  validated_at: string | null;
  estimated_cost: number | null;
}
interface List<T> {
  data: T[];
  total_count: number;
}

/** P-001, X-001, A-001: one whole day, from a file of deliveries to a proof that the customer sees. */
describe("the day, end to end", () => {
  let browser: Browser;
  let planner: Watched;
  let api: Api;
  let scenario = 0;

  beforeAll(async () => {
    browser = await launch();
    planner = await open(browser);
    api = await Api.as("planner");
    // Long searches are the benchmarks' business.
    const admin = await Api.as("admin");
    await admin.call("PATCH", "/organisations/settings", { optimisation: { max_seconds: 5 } });
  });
  afterAll(() => browser.close());

  const runs = async (): Promise<Run[]> =>
    (await api.get<List<Run>>(`/runs?scenario_id=${scenario}&per_page=300`)).data;

  it("P-031 P-032 shows the streets of Porto to the planner", async () => {
    await signIn(planner.page, "planner");
    await planner.page.locator("canvas").first().waitFor();
    const today = await api.get<List<{ id: number }>>("/scenarios");
    scenario = today.data[0]?.id ?? 0;
    await planner.page.goto(`/?active_scenario=${scenario}`);
    await planner.page.getByText("No jobs yet. Create one, or import a file.").waitFor();
    // Without jobs, the map looks at the drivers' depots.
    await expect.poll(() => latitude(planner.page)).toBeCloseTo(41.13, 1);
  });

  it("P-467 imports 320 deliveries from a file", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "Import", exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.locator('input[type="file"]').setInputFiles({
      name: "jobs.csv",
      mimeType: "text/csv",
      buffer: readFileSync(jobsFile),
    });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("Imported successfully").waitFor();
    await page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
    const stored = await api.get<List<Job>>(`/jobs?scenario_ids=${scenario}`);
    expect(stored.total_count).toBe(320);
  });

  it("optimises the day and shows progress and runs", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "Optimise", exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    if (await dialog.getByText("You must select at least one driver.").isVisible()) {
      await dialog.getByRole("button", { name: "Choose drivers" }).click();
      await page.getByRole("checkbox", { name: "Select all" }).first().check();
      await page.getByRole("button", { name: "Optimise", exact: true }).first().click();
    }
    await dialog.getByRole("button", { name: "Optimise", exact: true }).click();
    await page.getByRole("progressbar").first().waitFor();
    await expect
      .poll(async () => (await runs()).length, { timeout: 110_000, interval: 1000 })
      .toBeGreaterThan(3);
    await expect
      .poll(async () => (await api.get<List<Job>>(`/jobs?scenario_ids=${scenario}&served=true`)).total_count)
      .toBeGreaterThan(250);
    // W-002, W-100: it ends with a summary, whoever started it.
    const summary = page.getByRole("dialog", { name: "Optimisation summary" });
    await summary.getByRole("row", { name: /^Served jobs 0 2\d\d$/ }).waitFor();
    await summary.getByText("Times and distances:").waitFor();
    await summary.getByRole("button", { name: "Close" }).last().click();
  });

  it("moves a job to another run by dragging, and both are timed anew", async () => {
    const { page } = planner;
    const timeline = page.getByRole("region", { name: "Timeline" });
    // Only what is in view is drawn: the first two runs there. No later stop covers the last one.
    const [fromRow, toRow] = [timeline.getByRole("group").nth(0), timeline.getByRole("group").nth(1)];
    const [source, target] = [
      await fromRow.getAttribute("aria-label"),
      await toRow.getAttribute("aria-label"),
    ];
    const before = await runs();
    const from = before.find(({ uid }) => uid === source);
    const to = before.find(({ uid }) => uid === target);
    const stop = fromRow.getByRole("button", { name: / · POR-\d+ ·/ }).last();
    const uid = /POR-\d+/.exec((await stop.getAttribute("aria-label")) ?? "")?.[0];
    const job = (await api.get<List<Job>>(`/jobs?run_ids=${from?.id}`)).data.find((one) => one.uid === uid);
    if (!from || !to || !job) throw new Error("there are no two runs");
    await stop.dragTo(toRow.getByText(to.uid, { exact: true }));
    await page.getByText("Job moved successfully").waitFor();
    const after = await api.get<Job>(`/jobs/${job.id}`);
    expect(after.run_id).toBe(to.id);
    // Not the distance alone: a stop on the way adds no metre.
    const timed = (run?: Run) => [run?.distance, run?.total_job_duration, run?.planned_end_time];
    const now = await runs();
    for (const run of [from, to]) expect(timed(now.find(({ id }) => id === run.id))).not.toEqual(timed(run));
  });

  it("X-326 dispatches the runs by email, seen in the outbox", async () => {
    const { page } = planner;
    await page.reload();
    await page.getByRole("button", { name: "Dispatch", exact: true }).first().click();
    await page.getByRole("button", { name: "Dispatch All Runs" }).click();
    // W-104: the job that was dragged may be too much for its run, which then goes out with a reason only.
    const check = page.getByRole("dialog", { name: "Check before dispatch" });
    const asked = await check.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (asked) {
      await check.getByLabel("Reason").fill("Agreed with the driver");
      await check.getByRole("button", { name: "Send anyway" }).click();
    }
    await expect
      .poll(async () => (await runs()).every(({ dispatched }) => dispatched), { timeout: 60_000 })
      .toBe(true);
    const outbox = await open(browser);
    await outbox.page.goto("/outbox");
    await outbox.page
      .getByText(/Run sheet/)
      .first()
      .waitFor();
    await outbox.context.close();
  });

  it("P-489 X-043 lets a driver record the day on a phone, seen live by the planner and by the customer", async () => {
    const run = (await runs())[0];
    expect(run).toBeDefined();
    if (run === undefined) return;
    const phone = await open(browser, { width: 390, height: 844 });
    await phone.page.goto(`/runsheet?runsheet=true&token=${run.token}`);
    await phone.page.getByRole("button", { name: "Start route" }).first().click();
    await phone.page.getByLabel(/Start odometer/).fill("10250");
    await phone.page.getByRole("button", { name: "Start route" }).last().click();
    await phone.page.getByRole("button", { name: "Record proof" }).first().click();
    await sign(phone);
    await phone.page.getByLabel("Name of signer").fill("Maria Santos");
    await phone.page.getByRole("button", { name: "Save proof" }).click();
    await phone.page.getByText(/^1 of \d+ stops/).waitFor();
    await phone.page.getByRole("button", { name: "Record proof" }).first().click();
    await phone.page.getByRole("button", { name: "Not delivered" }).click();
    await phone.page.getByLabel("Reason").selectOption("Not home");
    await phone.page.getByRole("button", { name: "Save proof" }).click();
    const proofs = async (): Promise<number> =>
      (await api.get<List<unknown>>(`/job_proofs?run_ids=${run.id}`)).total_count;
    await expect.poll(proofs, { timeout: 30_000 }).toBe(2);
    expect(phone.faults).toEqual([]);
    await phone.context.close();

    const jobs = (await api.get<List<Job>>(`/jobs?run_ids=${run.id}&sort_by=seq&sort_order=asc`)).data;
    const customer = await open(browser, { width: 390, height: 844 });
    await customer.page.goto(`/tracking?tokens=${jobs[0]?.tracking_token}`);
    await customer.page.getByText("Delivered").first().waitFor();
    const text = await customer.page.locator("body").innerText();
    expect(text).toContain("Maria Santos");
    for (const other of jobs.slice(1, 20)) expect(text).not.toContain(other.uid);
    await customer.page.goto("/tracking?tokens=AAAAAAAAAAAA");
    await customer.page.getByText("Job not found.").waitFor();
    expect(customer.faults).toEqual([]);
    await customer.context.close();
  });

  it("is validated and costed by the administrator", async () => {
    const run = (await runs())[0];
    const admin = await Api.as("admin");
    const now = new Date();
    const rates = await admin.get<List<{ id: number }>>("/billing_rates");
    await admin.call("PATCH", `/runs/${run?.id}`, {
      billing_rate_id: rates.data[0]?.id,
      end_odometer: 10_310,
      actual_end_time: new Date(now.getTime() + 3_600_000).toISOString(),
      // It ends in an hour, and not all of its stops have a proof.
      force: true,
    });
    const answer = await admin.call<{ validated: { id: number }[]; failed: unknown[] }>(
      "PATCH",
      "/runs/validate",
      { run_ids: [run?.id], force: true },
    );
    expect(answer).toMatchObject({ validated: [{ id: run?.id }], failed: [] });
    const costed = await admin.get<Run>(`/runs/${run?.id}`);
    expect(costed.estimated_cost).toBeGreaterThan(0);
    const dashboard = await open(browser);
    await signIn(dashboard.page, "admin");
    await dashboard.page.goto("/dashboard");
    await dashboard.page.getByText("Admin").first().waitFor();
    expect(dashboard.faults).toEqual([]);
    await dashboard.context.close();
  });

  it("stays within one organisation", async () => {
    const other = await Api.as("other");
    const run = (await runs())[0];
    await expect(other.get(`/runs/${run?.id}`)).rejects.toThrow(/answered 404|answered 403/);
    await expect(other.get(`/jobs?scenario_ids=${scenario}`)).resolves.toMatchObject({ total_count: 0 });
  });

  it("gives the operator a third organisation in two seconds", async () => {
    const operator = await Api.as("operator");
    const began = Date.now();
    const name = `Third ${began}`;
    const email = `admin-${began}@third.routewright.test`;
    await operator.call("POST", "/organisations", {
      name,
      timezone: "Europe/Lisbon",
      admin: { email, password: "a long enough password", first_name: "Third", last_name: "Admin" },
    });
    const admin = await Api.as(email, "a long enough password");
    expect((await admin.get<List<unknown>>("/scenarios")).total_count).toBe(1);
  });

  it("left no error in the planner's console", () => {
    expect(planner.faults).toEqual([]);
    expect(baseUrl).toContain("127.0.0.1");
  });
});

/** Where the map of a page looks, as it remembers it. */
function latitude(page: Page): Promise<number> {
  return page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith("mapView"));
    return Number((localStorage.getItem(key ?? "") ?? "").split(",")[1]);
  });
}

/** Draws a line on the signature pad. */
async function sign({ page }: Watched): Promise<void> {
  const pad = page.locator("canvas").last();
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (box === null) throw new Error("there is no signature pad");
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 50, { steps: 8 });
  await page.mouse.up();
}
