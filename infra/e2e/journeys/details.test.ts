import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

interface List<T> {
  data: T[];
  total_count: number;
}

/** What the planner reads and changes about jobs, runs and scenarios, in small dialogs. */
describe("details of jobs, runs and scenarios", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Details");
    await firm.admin.call("POST", "/scenario_reasons", { name: "Driver sick" });
    await firm.admin.call("POST", "/runs/dispatch", [{ run_id: runOf("S-1"), method: "qrcode" }]);
    const { location } = await firm.admin.get<{ location: unknown }>(`/jobs/${idOf("S-8")}`);
    await firm.admin.call("POST", "/jobs", { uid: "S-8b", scenario_id: firm.scenario.id, location });
    planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await planner.page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  });
  afterAll(() => browser.close());

  const dialog = (name: string | RegExp): Locator => planner.page.getByRole("dialog", { name });
  const close = async (open: Locator): Promise<void> => {
    await open.getByRole("button", { name: "Close" }).first().click();
    await open.waitFor({ state: "detached" });
  };
  const share = async (open: Locator): Promise<number> =>
    Math.round((((await open.boundingBox())?.width ?? 0) / 1366) * 100);
  const facts = async (open: Locator, labels: readonly string[]): Promise<void> => {
    for (const label of labels) await open.getByText(label, { exact: true }).first().waitFor();
  };
  const idOf = (uid: string): number => firm.jobs.find((job) => job.uid === uid)?.id ?? 0;
  const runOf = (uid: string): number | null => firm.jobs.find((job) => job.uid === uid)?.run_id ?? null;

  it("P-065 P-066 P-067 P-069 P-071 P-072 P-073 P-074 P-075 P-077 P-078 P-079 P-080 P-081 P-082 P-083 P-084 P-085 P-086 Job Details", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "Details S-1" }).click();
    const details = dialog(/^Job Details/);
    await details.getByText("Customer 1", { exact: true }).waitFor();
    await facts(details, ["Customer name", "Address"]);
    await details.getByText("Ring twice").waitFor();
    await details.getByRole("button", { name: "Comments" }).click();
    await details.getByText("Ring twice").waitFor({ state: "hidden" });
    await details.getByRole("tab", { name: "Delivery" }).click();
    await facts(details, ["Driver", "ETA", "ETD", "Updated ETA", "ETA range"]);
    await details.getByRole("tab", { name: "Constraints" }).click();
    await facts(details, ["Duration (min)", "Type", "Size", "Arrive after", "Leave by", "Priority"]);
    await facts(details, ["Pickup from", "Deliver to"]);
    for (const name of ["Run Details", "Job Proof"]) await details.getByRole("button", { name }).waitFor();
    await close(details);
  });

  it("P-088 P-092 P-094 P-095 P-096 P-429 P-430 X-447 attachments, copies of returns and their comments", async () => {
    const { page } = planner;
    const returns = async (): Promise<{ uid: string; comments: string | null }[]> =>
      (await firm.admin.get<List<{ uid: string; comments: string | null }>>(`/returns?job_id=${idOf("S-1")}`))
        .data;
    for (const uid of ["R-1", "R-2"]) {
      await firm.admin.call("POST", "/returns", { uid, job_id: idOf("S-1") });
    }
    await page.getByRole("button", { name: "Details S-1" }).click();
    await dialog(/^Job Details/)
      .getByRole("button", { name: "Attachments" })
      .click();
    const attachments = dialog(/Attachments/);
    await attachments.getByText("U-1").waitFor();
    await expect.poll(() => share(attachments)).toBe(50);
    for (const name of ["Move to Pool", "Copy to Pool", "Print labels"]) {
      await attachments.getByRole("button", { name }).waitFor();
    }
    await attachments.getByRole("button", { name: "Add new" }).click();
    await attachments.getByRole("button", { name: "Generate UID" }).click();
    await expect.poll(() => attachments.getByLabel("Unit UID").inputValue()).toMatch(/^[A-Z0-9]{8}$/);
    // W-021: typing is not dropped unasked.
    await attachments.getByRole("tab", { name: "Returns" }).click();
    await dialog("Discard what you typed?").getByRole("button", { name: "Discard" }).click();
    await attachments.getByRole("checkbox", { name: "R-1", exact: true }).check();
    await attachments.getByRole("button", { name: "Duplicate" }).click();
    await page.getByText("Return has been created successfully.").waitFor();
    await attachments.getByText("R-1-1").waitFor();
    await attachments.getByRole("checkbox", { name: "R-2", exact: true }).check();
    await attachments.getByRole("button", { name: "Change comments" }).click();
    await attachments.getByLabel("Comments").fill("Empty crates");
    await attachments.getByRole("button", { name: "Save" }).click();
    await page.getByText("Return has been updated successfully.").waitFor();
    await attachments.getByLabel("Comments").waitFor({ state: "detached" });
    expect((await returns()).map(({ uid, comments }) => `${uid} ${comments}`).sort()).toEqual([
      "R-1 Empty crates",
      "R-1-1 null",
      "R-2 Empty crates",
    ]);
    await close(attachments);
    await close(dialog(/^Job Details/));
  });

  it("P-113 P-114 P-415 tags of one job and of several, and the same values for several", async () => {
    const { page } = planner;
    const list = page.getByRole("list", { name: "Jobs" });
    const mark = (uid: string): Promise<void> =>
      list.getByRole("checkbox", { name: uid, exact: true }).check();
    await mark("S-1");
    await page.getByRole("button", { name: "Tags", exact: true }).click();
    await close(dialog("S-1 - Tags"));
    await mark("S-2");
    await page.getByRole("button", { name: "Tags", exact: true }).click();
    await close(dialog("Add job tags"));
    await page.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Change values…" }).click();
    const values = dialog("Change 2 jobs");
    await expect.poll(() => values.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await values.getByLabel("Duration (min)").fill("0");
    await values.getByText("Value must be above 0").waitFor();
    await values.getByLabel("Duration (min)").fill("12,5");
    await values.getByRole("button", { name: "Save" }).click();
    await page.getByText("2 jobs updated").waitFor();
    for (const uid of ["S-1", "S-2"]) {
      const job = await firm.admin.get<{ duration: number; comments: string }>(`/jobs/${idOf(uid)}`);
      expect(job).toMatchObject({ duration: 12.5, comments: "Ring twice" });
    }
  });

  it("P-414 jobs of one place are merged place by place", async () => {
    const { page } = planner;
    const list = page.getByRole("list", { name: "Jobs" });
    for (const uid of ["S-1", "S-2"]) await list.getByRole("checkbox", { name: uid, exact: true }).uncheck();
    for (const uid of ["S-8", "S-8b", "S-7"])
      await list.getByRole("checkbox", { name: uid, exact: true }).check();
    await page.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Merge jobs of the same place…" }).click();
    await dialog("Merge jobs of the same place").getByText("S-8b into S-8").waitFor();
    await dialog("Merge jobs of the same place").getByRole("button", { name: "Merge" }).click();
    await page.getByText("Jobs merged").waitFor();
    const left = await firm.admin.get<List<unknown>>(`/jobs?scenario_ids=${firm.scenario.id}&search=S-8`);
    expect(left.total_count).toBe(1);
  });

  it("P-117 P-118 P-119 P-120 P-121 P-336 P-337 the tracking links", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "Delivery Tracking" }).click();
    const links = dialog("Delivery Tracking");
    expect(Math.round((await links.boundingBox())?.width ?? 0)).toBe(1200);
    await links.getByRole("button", { name: "Send All" }).waitFor();
    const email = page.getByLabel("Email S-1", { exact: true });
    const row = links.getByRole("row").filter({ has: email });
    await email.fill("nobody");
    await row.getByText("Invalid email").waitFor();
    await expect.poll(() => row.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await links.getByRole("button", { name: "Export" }).click();
    for (const name of ["CSV", "Excel"]) await page.getByRole("menuitem", { name }).waitFor();
    await page.keyboard.press("Escape");
    await links.getByLabel("Search").fill("S-2");
    await email.waitFor({ state: "detached" });
    await links.getByText(/^\d of \d jobs shown$/).waitFor();
    await links.getByRole("button", { name: "Close" }).first().click();
    await dialog("Discard what you typed?").getByRole("button", { name: "Discard" }).click();
    await links.waitFor({ state: "detached" });
  });

  it("S-22 P-116 P-296 P-298 P-299 a dispatched run is delayed and its job moved, with the reason", async () => {
    const { page } = planner;
    const from = firm.runs.find(({ id }) => id === runOf("S-1"));
    if (from === undefined) throw new Error("S-1 is on no run");
    await page.getByRole("navigation").getByRole("button", { name: "Runs" }).click();
    await page
      .getByRole("button", { name: `More ${from.uid}` })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Delay/Advance" }).click();
    const delay = page.getByRole("dialog");
    const minutes = delay.getByRole("textbox");
    const slider = delay.getByRole("slider");
    await expect.poll(() => delay.getByRole("button", { name: "Confirm" }).isDisabled()).toBe(true);
    for (const [name, value] of Object.entries({ min: "-60", max: "60", step: "5" })) {
      await expect.poll(() => slider.getAttribute(name)).toBe(value);
    }
    await minutes.fill("2000");
    await delay.getByText("Whole minutes from -1000 to 1000").waitFor();
    await minutes.fill("");
    await minutes.pressSequentially("-20");
    await expect.poll(() => minutes.inputValue()).toBe("-20");
    await delay.getByLabel("Reason (optional)").waitFor();
    await close(delay);

    await page.getByRole("navigation").getByRole("button", { name: "Jobs" }).click();
    await page
      .getByRole("list", { name: "Jobs" })
      .getByText("S-1", { exact: true })
      .click({ button: "right" });
    await page.getByRole("menuitem", { name: "Move to unserved" }).click();
    const why = dialog("Change dispatched runs");
    await why.getByText(from.uid).waitFor();
    await why.getByLabel("Reason (optional)").click();
    await page.getByRole("option", { name: "Driver sick" }).click();
    const sent = page.waitForRequest((request) => request.method() === "PUT");
    await why.getByRole("button", { name: "Confirm" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ scenario_reason_id: expect.any(Number) as number });
    await page.getByText("Job moved successfully").waitFor();
  });

  it("P-418 X-119 X-120 X-121 X-122 X-123 X-124 X-125 X-126 X-127 X-130 a proof is found and shown", async () => {
    const { page } = planner;
    const job_id = idOf("S-3");
    await firm.admin.call("POST", "/job_proofs", { job_id, success: false, comments: "Gate closed" });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Search proofs of delivery" }).click();
    const search = dialog("Search proofs of delivery");
    await search.getByRole("button", { name: "Delivered", exact: true }).click();
    await search.getByText("No proofs were found.").waitFor();
    await search.getByRole("button", { name: "Not delivered" }).click();
    await search.getByRole("textbox", { name: "Search proofs" }).fill("Customer 3");
    await search.getByRole("button", { name: "Show", exact: true }).click();
    const proof = dialog(/^Proof Information/);
    await proof.getByText("Gate closed").waitFor();
    await expect.poll(() => share(proof)).toBe(55);
    await facts(proof, ["Timeline", "Job Attachments", "Job Proof", "Job attachment proof", "0/0"]);
    for (const name of ["Units", "Returns", "Containers"]) await proof.getByRole("tab", { name }).waitFor();
    await proof.getByPlaceholder("Search by uid").waitFor();
    await proof.getByRole("button", { name: "Download PoD" }).waitFor();
    await proof.getByRole("button", { name: "Job Proof", exact: true }).click();
    await proof.getByText("Gate closed").waitFor({ state: "hidden" });
    await close(proof);
    await close(search);
  });

  it("X-568 X-569 X-571 X-572 X-573 X-575 X-577 X-578 X-156 X-157 X-158 X-159 X-372 X-373 X-376 scenarios are made, changed, copied and deleted", async () => {
    const { page } = planner;
    const picker = async (): Promise<void> => {
      await page.getByRole("button", { name: /^(Details|Second|Other) day/ }).click();
    };
    // Slow enough for what is shown while it works.
    await page.route("**/api/scenarios*/**", slowly);
    await page.route("**/api/scenarios", (route) => route.abort());
    await picker();
    await page.getByRole("button", { name: "Add scenario" }).click();
    await dialog("Add scenario").getByLabel("Name").fill("Second day");
    await dialog("Add scenario").getByRole("button", { name: "Save" }).click();
    await page.getByText("Failed to create scenario").waitFor();
    await page.unroute("**/api/scenarios");
    await page.route("**/api/scenarios", slowly);
    await dialog("Add scenario").getByRole("button", { name: "Save" }).click();
    await page.getByText("Creating scenario...").waitFor();
    await page.getByText("Scenario created successfully").waitFor();
    await dialog("Add scenario").waitFor({ state: "detached" });

    await picker();
    await page.getByRole("button", { name: "Edit scenario" }).click();
    await dialog("Edit scenario").getByLabel("Name").fill("Other day");
    await dialog("Edit scenario").getByRole("button", { name: "Save" }).click();
    await page.getByText("Updating scenario...").waitFor();
    await page.getByText("Scenario updated successfully").waitFor();

    await picker();
    await page.getByRole("button", { name: "Star", exact: true }).first().click();
    await page.getByRole("button", { name: "Unstar" }).first().waitFor();
    await page.getByRole("button", { name: "Duplicate Scenario" }).click();
    await dialog("Duplicate Scenario").getByRole("tab", { name: "Create Fixed Runs" }).waitFor();
    await dialog("Duplicate Scenario").getByRole("button", { name: "Duplicate Scenario" }).click();
    await page.getByText("Duplicating scenario...").waitFor();
    await page.getByText("Duplicated successfully").waitFor();

    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await picker();
    await page.getByRole("button", { name: "Calendar" }).click();
    await dialog("Calendar")
      .getByRole("button", { name: /^Other day/ })
      .first()
      .click();
    await dialog(/^Other day/)
      .getByRole("button", { name: "Delete" })
      .click();
    const question = dialog("Delete scenario");
    await question.getByRole("button", { name: "Send to Pool" }).waitFor();
    await question.getByRole("button", { name: "Delete jobs permanently" }).click();
    await page.getByText("Scenario deleted successfully").waitFor();
    // Who deletes another scenario stays at the open one.
    expect(page.url()).toContain(`active_scenario=${firm.scenario.id}`);
    await page.unrouteAll();
  });

  it("left no error in the console", () => {
    expect(planner.faults).toEqual([]);
  });
});

async function slowly(route: Parameters<Parameters<Page["route"]>[1]>[0]): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  await route.continue();
}
