import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

interface Job {
  id: number;
  uid: string;
  customer_name: string;
  location: { lat: number; lon: number };
}
interface List<T> {
  data: T[];
  total_count: number;
}

const BILLING = [
  "Billing distance (km)",
  "Billing time (h)",
  "Billing rate",
  "Minimum number of hours",
  "Vehicle billing rate",
  "Estimated cost",
  "Validated by",
  "Validated at",
];
const STATISTICS = [
  "Planned",
  "Recorded",
  "Difference",
  "Distance",
  "Duration",
  "Driving time",
  "Units",
  "Capacity",
  "Sum of sizes",
  "Total weight",
  "Total volume",
];

/** What planners do in dialogs over the map. */
describe("the planner's dialogs", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;
  /** Creating calls of the page: path and key. */
  const submits: { path: string; key: string | undefined }[] = [];

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Dialogs");
    planner = await open(browser);
    planner.page.on("request", (request) => {
      if (request.method() !== "POST") return;
      submits.push({ path: new URL(request.url()).pathname, key: request.headers()["idempotency-key"] });
    });
    await signIn(planner.page, firm.email, firm.secret);
    await home();
  });
  afterAll(() => browser.close());

  const home = async (): Promise<void> => {
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await planner.page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  };
  const top = (): Locator => planner.page.getByRole("dialog").last();
  const jobs = async (query: string): Promise<List<Job>> =>
    firm.admin.get<List<Job>>(`/jobs?scenario_ids=${firm.scenario.id}&per_page=50${query}`);

  it("opening a scenario shows all its jobs on the map, beside panels and timeline", async () => {
    const { page } = planner;
    await page.getByRole("region", { name: "Timeline" }).waitFor();
    const { data } = await jobs("");
    await expect.poll(async () => outside(page, data), { timeout: 15_000 }).toEqual([]);
  });

  it("W-016: a day of 1,300 jobs shows the first while all others come beside each other", async () => {
    const { page } = planner;
    const large = await firm.admin.call<{ id: number }>("POST", "/scenarios", {
      name: "Large day",
      scheduled_date: "2026-11-25",
    });
    const rows = Array.from({ length: 1300 }, (_, n) => ({
      uid: `L-${n}`,
      customer_name: `Customer ${n}`,
      address: `Rua ${n}, Porto`,
      lat: String(41.1 + (n % 40) / 1000),
      lon: String(-8.66 + n / 20_000),
    }));
    await firm.admin.call("POST", "/jobs/template_upload", { rows, scenario_id: large.id });
    const held: (() => Promise<void>)[] = [];
    await page.route(
      (url) => url.pathname === "/api/jobs" && Number(url.searchParams.get("page")) > 1,
      (route) => void held.push(() => route.continue()),
    );
    await page.goto(`/?active_scenario=${large.id}`);
    const list = page.getByRole("list", { name: "Jobs" });
    await list.getByRole("listitem").first().waitFor();
    await expect.poll(() => held.length).toBe(4);
    await expect.poll(() => page.getByText("1300 jobs").count()).toBe(0);
    await Promise.all(held.map((go) => go()));
    await page.getByText("1300 jobs").first().waitFor();
    await page.unroute((url) => url.pathname === "/api/jobs");
    await home();
  });

  it("a plan that cannot be loaded says so and is tried again", async () => {
    const { page } = planner;
    let asked = 0;
    await page.route("**/api/runs?*", (route) => {
      asked += 1;
      return route.abort();
    });
    await page.reload();
    const alert = page.getByRole("alert").filter({ hasText: "The plan could not be loaded." });
    const retry = alert.getByRole("button", { name: "Retry" });
    await retry.waitFor();
    const before = asked;
    await retry.dispatchEvent("click");
    await expect.poll(() => asked).toBeGreaterThan(before);
    await page.unroute("**/api/runs?*");
    // The page tries by itself too, and may be first.
    await retry.click({ timeout: 5_000 }).catch(() => undefined);
    await alert.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Timeline" }).waitFor();
    // The refused calls are on the browser's record, not on ours.
    planner.faults.splice(0);
  });

  it("P-311 to P-315, P-400: a job uid that exists is edited, made again or left alone", async () => {
    const { page } = planner;
    const known = async (): Promise<number> => (await jobs("&uid_exact=S-1")).total_count;
    await fillNewJob(page, "Again");
    await top().getByRole("button", { name: "Create job" }).click();
    const question = page.getByRole("dialog", { name: "Job UID S-1 already exists" });
    await question.getByText("do you want to edit existing Job?").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await expect.poll(() => known()).toBe(1);

    await top().getByRole("button", { name: "Create job" }).click();
    await question.getByRole("button", { name: "Create New" }).click();
    await expect.poll(known).toBe(2);

    await page.getByRole("dialog").waitFor({ state: "detached" });
    await fillNewJob(page, "Edited");
    await top().getByRole("button", { name: "Create job" }).click();
    await question.getByRole("button", { name: "Edit Existing" }).click();
    await expect
      .poll(async () => (await jobs("&uid_exact=S-1")).data.map((job) => job.customer_name).sort())
      .toEqual(["Customer 1", "Edited"]);
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("a creating form sends a key, so that it is done once", () => {
    const created = submits.filter(({ path }) => path === "/api/jobs");
    expect(created).toHaveLength(1);
    expect(created[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it("P-036 to P-058: Bulk Create Jobs makes one job after the other and lists them", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Bulk Create Jobs" }).click();
    const dialog = page.getByRole("dialog", { name: "Bulk Create Jobs" });
    const box = await dialog.boundingBox();
    expect(Math.round(((box?.width ?? 0) / 1366) * 100)).toBe(85);
    await dialog.getByText("Create Job", { exact: true }).waitFor();
    await dialog.getByLabel("Search client by uid").waitFor();
    for (const step of ["Job", "Units", "Returns"]) {
      await dialog.getByText(step, { exact: true }).first().waitFor();
    }
    await expect
      .poll(() => dialog.getByRole("button", { name: "Next", exact: true }).isDisabled())
      .toBe(true);
    await expect.poll(() => dialog.getByRole("button", { name: "Back", exact: true }).count()).toBe(0);
    await dialog.getByPlaceholder("Search jobs").waitFor();
    const table = dialog.getByRole("table", { name: "Jobs" });
    await table.getByRole("columnheader", { name: "Customer name" }).waitFor();
    for (const hidden of [
      "Comments",
      "Customer email",
      "Duration",
      "Arrive after",
      "Priority",
      "Organisation",
    ]) {
      await expect.poll(() => table.getByRole("columnheader", { name: hidden }).count()).toBe(0);
    }
    await table.getByRole("button", { name: "Edit S-2" }).click();
    await dialog.getByText("Edit Job S-2", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Update job" }).waitFor();
    await dialog.getByRole("button", { name: "Next", exact: true }).click();
    await dialog.getByText("U-2").waitFor();
    await dialog.getByRole("button", { name: "Back", exact: true }).click();
    await dialog.getByRole("button", { name: "New job" }).click();
    await dialog.getByRole("button", { name: "Create job", exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitem", { name: "Priority" }).click();
    await page.keyboard.press("Escape");
    await table.getByRole("columnheader", { name: "Priority" }).waitFor();

    // What is shown stays after a reload; the dashboard's link opens the same for the pool.
    await page.goto("/?bulk_create_jobs=pool");
    await top().getByText("Jobs in pool", { exact: true }).waitFor();
    await top().getByRole("columnheader", { name: "Priority" }).waitFor();
    await top().getByRole("button", { name: "Create job to pool" }).waitFor();
    expect(page.url()).not.toContain("bulk_create_jobs");
  });

  it("X-094 to X-112, X-329 to X-331: Run Details are edited, saved and read again", async () => {
    const { page } = planner;
    await firm.admin.call("POST", "/scenario_reasons", { name: "Breakdown" });
    const [run] = firm.runs;
    if (run === undefined) throw new Error("there is no run");
    await firm.admin.call("POST", "/runs/dispatch", [{ run_id: run.id, method: "qrcode" }]);
    await openRun(page, run.uid);
    const dialog = page.getByRole("dialog", { name: /^Run Details/ });
    await dialog
      .getByRole("heading", { name: new RegExp(`${run.uid}.*Dialogs day.*\\d\\d/\\d\\d/\\d{4}`) })
      .waitFor();
    const box = await dialog.boundingBox();
    expect(Math.round(((box?.width ?? 0) / 1366) * 100)).toBe(70);
    for (const tab of ["Planning and Constraints", "Actuals", "Performance", "Billing", "Proofs"]) {
      await dialog.getByRole("tab", { name: tab }).waitFor();
    }
    await expect.poll(() => dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await page.mouse.click(5, 700);
    await dialog.getByRole("button", { name: "Edit" }).click();
    await dialog.getByText("Run must be re-optimised for changes to be reflected").waitFor();
    await dialog.getByLabel("Reason (optional)").click();
    await page.getByRole("option", { name: "Breakdown" }).click();
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await dialog.getByLabel("Capacity", { exact: true }).last().fill("40");
    await dialog.getByRole("button", { name: "Save" }).click();
    const body = (await sent).postDataJSON() as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual(["capacity", "scenario_reason_id"]);
    await dialog.getByRole("button", { name: "Edit" }).waitFor();
    await expect.poll(() => dialog.getByLabel("Capacity", { exact: true }).last().inputValue()).toBe("40");
  });

  it("X-413, X-414, X-411, X-218 X-219 X-220 X-221 X-222 X-223 X-224 X-225 X-226: actuals are checked when they are saved", async () => {
    const { page } = planner;
    const dialog = page.getByRole("dialog", { name: /^Run Details/ });
    await dialog.getByRole("button", { name: "Edit" }).click();
    await dialog.getByRole("tab", { name: "Actuals" }).click();
    for (const field of ["Billing start time", "Device", "Vehicle", "Driver user"]) {
      await dialog.getByLabel(field, { exact: true }).waitFor();
    }
    await dialog.getByLabel(/^Additional billing distance/).waitFor();
    await dialog.getByLabel("Actual start time").fill("2026-11-23T10:00");
    await dialog.getByLabel("Actual end time").fill("2026-11-23T09:00");
    await dialog.getByLabel(/^Start odometer/).fill("20");
    await dialog.getByLabel(/^End odometer/).fill("10");
    await expect
      .poll(() => dialog.getByText("End odometer should be greater start odometer").count())
      .toBe(0);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Actual start time should be before actual end time").waitFor();
    await dialog.getByText("Actual end time should be after actual start time").waitFor();
    await expect
      .poll(() => dialog.getByText("End odometer should be greater start odometer").count())
      .toBe(2);
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("X-227 X-228 X-229 X-230 X-231 X-232 X-233 X-234 X-280 X-281 X-282 X-283 X-284 X-285 X-286 X-287 X-288 X-289 X-290 X-022: billing and statistics", async () => {
    const dialog = planner.page.getByRole("dialog", { name: /^Run Details/ });
    await dialog.getByRole("tab", { name: "Billing" }).click();
    for (const fact of BILLING) await dialog.getByText(fact, { exact: true }).first().waitFor();
    await dialog.getByRole("tab", { name: "Performance" }).click();
    for (const fact of STATISTICS) await dialog.getByText(fact, { exact: true }).first().waitFor();
  });

  it("X-115 to X-118, X-336 to X-343: the office starts a route and Run Details show it", async () => {
    const { page } = planner;
    const dialog = page.getByRole("dialog", { name: /^Run Details/ });
    await dialog.getByRole("button", { name: "Start Route" }).click();
    const start = page.getByRole("dialog", { name: /^Start Route/ });
    await start.getByLabel("Start time").waitFor();
    await start.getByRole("button", { name: "Photos (at most 5)" }).waitFor();
    await start.getByRole("img", { name: "Signature" }).waitFor();
    await start.getByLabel(/^Odometer/).fill("1234.5");
    await start.getByRole("button", { name: "Start Route" }).click();
    await page.getByText("Run has been started").waitFor();
    await dialog.getByRole("tab", { name: "Actuals" }).click();
    await expect.poll(() => dialog.getByLabel(/^Start odometer/).inputValue()).toBe("1234.50");
    const run = await firm.admin.get<{ start_odometer: number }>(`/runs/${firm.runs[0]?.id}`);
    expect(run.start_odometer).toBe(1234.5);
    await dialog.getByRole("button", { name: "Close" }).first().click();
  });

  it("X-066 to X-081, X-085 to X-087: the dispatch table sends to a corrected address", async () => {
    const { page } = planner;
    // A run that is shown as a QR code sends nothing, and says so (W-048).
    await firm.admin.call("PATCH", `/runs/${firm.runs[0]?.id}`, { preferred_method: "email" });
    await home();
    await page.getByRole("button", { name: "Dispatch", exact: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Dispatch runs" });
    for (const button of ["Dispatch All Runs", "Download Excel Runsheet", "Download Runsheet PDF"]) {
      await dialog.getByRole("button", { name: button }).waitFor();
    }
    await dialog.getByRole("link", { name: "QR codes" }).waitFor();
    await dialog.getByRole("button", { name: "Help" }).click();
    await page.getByText("The Excel download is a printable manifest.").waitFor();
    await page.keyboard.press("Escape");
    const [run] = firm.runs;
    if (run === undefined) throw new Error("there is no run");
    const email = dialog.getByLabel(`Email ${run.uid}`);
    await email.press("Backspace");
    await email.fill("not an address");
    await email.press("Tab");
    await dialog.getByText("Invalid email").waitFor();
    await email.fill("corrected@example.org,");
    const row = dialog.getByRole("row").filter({ has: page.getByLabel(`Email ${run.uid}`) });
    await row.getByRole("button", { name: "Send Run Sheet" }).click();
    // A run that was started late in the day breaks its windows by now: then the check asks why it is sent (W-104).
    const check = page.getByRole("dialog", { name: "Check before dispatch" });
    const told = page.getByText(`Run sheet of ${run.uid} sent`);
    await check.or(told).first().waitFor();
    if (await check.isVisible()) {
      const anyway = check.getByRole("button", { name: "Send anyway" });
      await expect.poll(() => anyway.isDisabled()).toBe(true);
      await check.getByLabel(/^Reason/).fill("The customers know");
      await anyway.click();
    }
    await told.waitFor();
    const stored = await firm.admin.get<{ email: string; dispatched: boolean }>(`/runs/${run.id}`);
    expect(stored).toMatchObject({ email: "corrected@example.org", dispatched: true });
    await dialog.getByRole("button", { name: "Close" }).first().click();
  });

  it("X-154, X-155, X-160: a scenario of the calendar is set active, or shown on the map", async () => {
    const { page } = planner;
    const other = await firm.admin.call<{ id: number }>("POST", "/scenarios", {
      name: "Elsewhere",
      scheduled_date: new Date().toISOString().slice(0, 10),
    });
    await page.getByRole("button", { name: /Dialogs day/ }).click();
    await page.getByRole("button", { name: "Calendar" }).click();
    const calendar = page.getByRole("dialog", { name: "Calendar" });
    for (const view of ["Month", "Week", "Day"])
      await calendar.getByRole("button", { name: view, exact: true }).waitFor();
    await calendar.getByRole("button", { name: /^Elsewhere/ }).click();
    const details = page.getByRole("dialog", { name: "Elsewhere" });
    await details.getByRole("button", { name: "Set active" }).click();
    await expect.poll(() => page.url()).toContain(`active_scenario=${other.id}`);
    await details.getByRole("button", { name: "Set active" }).waitFor({ state: "detached" });
    await details.getByRole("button", { name: "Show on map" }).click();
    await page.getByRole("dialog").first().waitFor({ state: "detached" });
  });

  it("X-053: the progress report counts what is done, and says what went wrong", async () => {
    const { page } = planner;
    const [run] = firm.runs;
    const stops = firm.jobs.filter((job) => job.run_id === run?.id);
    await firm.admin.call("POST", "/job_proofs", {
      job_id: stops[0]?.id,
      success: false,
      record_time: "2026-11-22 09:00:00",
      comments: "Nobody opened",
    });
    await page.goto(`/progress-report/${firm.scenario.id}`);
    await page.getByRole("heading", { name: /Dialogs day/ }).waitFor();
    const row = page.getByRole("row").filter({ hasText: run?.uid ?? "" });
    await row.getByText(`1/${stops.length} · 1 Unsuccessful`).waitFor();
    await row.getByText("Driving", { exact: true }).waitFor();
    const wrong = page.getByRole("row").filter({ hasText: "Nobody opened" });
    await wrong.getByText("2026/11/22 09:00").waitFor();
  });

  it("left no error in the console", () => {
    expect(planner.faults).toEqual([]);
  });

  /** A new job named like an old one. */
  async function fillNewJob(page: Page, customer: string): Promise<void> {
    await page.getByRole("button", { name: "New job", exact: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add job" });
    await dialog.getByRole("textbox", { name: /^UID/ }).fill("S-1");
    await dialog.getByLabel("Customer name").fill(customer);
    await dialog.getByLabel("Address").fill("41.151, -8.612");
    await dialog.getByLabel("Address").press("Tab");
    await dialog.getByLabel("Customer email").fill("customer@example.org");
    await dialog.getByLabel("Phone number").fill("+351220000001");
    await dialog.getByRole("group", { name: "Size", exact: true }).getByRole("textbox").first().fill("1");
    await dialog.getByLabel("Type").fill("ambient");
  }

  async function openRun(page: Page, uid: string): Promise<void> {
    await home();
    await page.getByRole("navigation").getByRole("button", { name: "Runs" }).click();
    await page
      .getByRole("button", { name: `More ${uid}` })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Run Details" }).click();
  }
});

/** Uids of jobs that the map does not show, reckoned from where it says that it looks. */
async function outside(page: Page, jobs: readonly Job[]): Promise<string[]> {
  const box = await page.getByRole("region", { name: "Map of jobs and runs" }).boundingBox();
  const view = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith("mapView"));
    return key === undefined ? null : localStorage.getItem(key);
  });
  if (box === null || view === null) return ["no map"];
  const [lng = 0, lat = 0, zoom = 0] = view.split(",").map(Number);
  const world = 512 * 2 ** zoom;
  const y = (degrees: number): number =>
    (0.5 - Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360)) / (2 * Math.PI)) * world;
  const x = (degrees: number): number => (degrees / 360 + 0.5) * world;
  return jobs
    .filter(({ location }) => {
      const across = Math.abs(x(location.lon) - x(lng)) <= box.width / 2;
      return !across || Math.abs(y(location.lat) - y(lat)) > box.height / 2;
    })
    .map(({ uid }) => uid);
}
