import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { Api, launch, open, signIn, type Watched } from "./product.ts";

interface List<T> {
  data: T[];
  total_count: number;
}
interface Territory {
  id: number;
  name: string;
}

/** What planners meet beside the day itself: tutorial, territories, a refused import. */
describe("planner's tools", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Tools");
    // Long searches are the benchmarks' business.
    await firm.admin.call("PATCH", "/organisations/settings", { optimisation: { max_seconds: 1 } });
    planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await planner.page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  });
  afterAll(() => browser.close());

  const territories = async (): Promise<Territory[]> =>
    (await firm.admin.get<List<Territory>>("/territories")).data;

  it("P-087, P-089, P-093, P-098: a unit of a job is put into a new container, which is then edited", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "Details S-1" }).click();
    await page.getByRole("button", { name: "Attachments" }).click();
    const dialog = page.getByRole("dialog", { name: "Job Attachments" });
    await dialog.getByRole("tab", { name: "Containers" }).click();
    await dialog.getByRole("button", { name: "Add new" }).click();
    await dialog.getByLabel("UID").fill("K-1");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Choose at least one unit").waitFor();
    await dialog.getByLabel("Units").click();
    await page.getByRole("option", { name: "U-1" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("K-1", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("UID").fill("K-2");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("K-2", { exact: true }).waitFor();
    const { data } = await firm.admin.get<List<{ uid: string; units: { uid: string }[] }>>("/containers");
    expect(data.map(({ uid, units }) => [uid, units.map((unit) => unit.uid)])).toEqual([["K-2", ["U-1"]]]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  });

  it("A-081, A-082: the full-screen views carry their titles", async () => {
    const { page } = planner;
    for (const [path, title] of [
      ["liveview", "Live Overview"],
      ["customerview", "Customer View"],
    ]) {
      await page.goto(`/${path}?active_scenario=${firm.scenario.id}`);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await expect.poll(() => page.title()).toBe(`${title} · Routewright`);
    }
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  });

  it("A-105 A-106 A-107 A-108 A-109 A-110 A-111 A-112 A-113 A-114: the user menu leads everywhere", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "User menu" }).click();
    const entries = await page.getByRole("menuitem").allInnerTexts();
    for (const entry of [
      "Map",
      "Live Overview",
      "Customer View",
      "Account",
      "UI Settings",
      "Account Setup",
      "Reset map view",
      "Territory builder",
      "Tutorial",
      "Log out",
    ]) {
      expect(entries).toContain(entry);
    }
    // W-116: in groups, not one long row.
    await expect
      .poll(() => page.getByRole("menu").locator("hr, [role=separator], li.MuiDivider-root").count())
      .toBe(3);
    await page.keyboard.press("Escape");
  });

  it("W-089 A-101 A-102 A-103: over 767 there is room for the timeline, over 1220 for all in one row", async () => {
    const { page } = planner;
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    const rows = async (): Promise<number> => (await page.locator("header").boundingBox())?.height ?? 0;
    await timeline.waitFor();
    const row = await rows();
    for (const [width, shown, high] of [
      [1221, true, false],
      [1220, true, true],
      [768, true, true],
      [767, false, true],
    ] as const) {
      await page.setViewportSize({ width, height: 768 });
      await timeline.waitFor({ state: shown ? "visible" : "hidden" });
      await expect.poll(async () => (await rows()) > row + 8).toBe(high);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1366, height: 768 });
  });

  it("W-115 W-092: a first visit says what to do, and offers the tour", async () => {
    const operator = await Api.as("operator");
    const [stamp, secret] = [Date.now(), "a long enough password"];
    const email = `first-${stamp}@first.routewright.test`;
    const admin = { email, password: secret, first_name: "Ana", last_name: "Reis" };
    await operator.call("POST", "/organisations", {
      name: `First ${stamp}`,
      timezone: "Europe/Lisbon",
      admin,
    });
    const { page } = await open(browser);
    await signIn(page, email, secret);
    await page.getByRole("heading", { name: "This day is empty" }).waitFor();
    await page.getByRole("button", { name: "Import from a file" }).waitFor();
    await page.getByRole("button", { name: "Take the tour" }).click();
    await page.getByRole("dialog", { name: "Tutorial" }).getByText("Where is your depot?").waitFor();
    await expect.poll(() => page.getByRole("heading", { name: "This day is empty" }).count()).toBe(0);
    await page.context().close();
  });

  it("A-133 A-134 A-135 A-145 A-146 A-147 A-148 A-149: its dialogs have their tabs", async () => {
    const { page } = planner;
    const tabs = async (entry: string): Promise<string[]> => {
      await page.getByRole("button", { name: "User menu" }).click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
      await page.getByRole("dialog").getByRole("tab").first().waitFor();
      return page.getByRole("dialog").getByRole("tab").allInnerTexts();
    };
    await expect
      .poll(() => tabs("UI Settings"))
      .toEqual(["General", "Panels", "Context Menus", "Territory", "Timeline"]);
    await closeAll();
    await expect.poll(() => tabs("Account Setup")).toEqual(["Modules", "Add Users"]);
    expect((await page.getByRole("dialog").boundingBox())?.width).toBe(600);
    await closeAll();
  });

  it("A-139 A-140 A-141 A-142 A-143 A-144: the map's settings say what it shows", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "Map settings" }).click();
    const settings = page.getByRole("presentation").last();
    for (const label of ["Show driver history", "Show territories", "Job Icon Sequence"]) {
      await settings.getByRole("switch", { name: label }).waitFor();
    }
    for (const label of ["Job Icon Colours", "Map Style", "Job Icon Size"]) {
      await settings.getByLabel(label).waitFor();
    }
    // W-095: what stands behind names such as Hybrid and Topo.
    await settings
      .getByText("All styles are street maps in other colours: no aerial pictures, no relief.")
      .waitFor();
    await page.keyboard.press("Escape");
  });

  it("A-150 to A-152, A-269 to A-281, A-306: the tutorial leads from the depot to the modules", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Tutorial" }).click();
    const popup = page.getByRole("dialog", { name: "Tutorial" });
    const next = popup.getByRole("button", { name: "Next", exact: true });
    const step = (n: number): Promise<void> => popup.getByText(`Step ${n} of 11`).waitFor();
    await next.click();
    await popup.getByText("Please select a location").waitFor();
    await popup.getByLabel("Depot location").fill("41.15, -8.61");
    await popup.getByLabel("Depot location").press("Tab");
    await next.click();
    await step(2);
    const drivers =
      await firm.admin.get<List<{ uid: string; shift_start: string; email: string }>>("/drivers");
    const made = drivers.data
      .filter(({ uid }) => uid.startsWith("Driver "))
      .sort((a, b) => a.uid.localeCompare(b.uid));
    expect(made.map(({ uid }) => uid)).toEqual(["Driver 1", "Driver 2", "Driver 3"]);
    expect(made[0]?.shift_start).toMatch(/^09:00/);
    // W-092: their run sheets can be sent.
    expect(made.map((driver) => driver.email)).toEqual([firm.email, firm.email, firm.email]);
    await page.locator("[data-tutorial-outline]").waitFor();
    await next.click();
    await step(3);
    const jobs = await firm.admin.get<List<unknown>>(`/jobs?scenario_ids=${firm.scenario.id}`);
    expect(jobs.total_count).toBe(23);
    await next.click();
    await step(4);
    await next.click();
    await popup.getByText("Step 5 of 11").waitFor({ timeout: 60_000 });
    const runs = await firm.admin.get<List<{ driver: { uid: string } }>>(
      `/runs?scenario_id=${firm.scenario.id}&per_page=50`,
    );
    expect(runs.data.filter(({ driver }) => driver.uid.startsWith("Driver ")).length).toBeGreaterThan(1);
    await next.click();
    await step(6);
    await next.click();
    await step(7);
    await page.getByRole("button", { name: "Tracking", exact: true }).click();
    await step(8);
    await next.click();
    await popup.getByRole("img", { name: "Driver app for Android" }).waitFor();
    await next.click();
    await step(10);
    await next.click();
    await popup.getByText("It is almost finish").waitFor();
    await next.click();
    await page.getByRole("dialog", { name: "Account Settings" }).waitFor();
    await closeAll();
  });

  it("P-128, P-264, P-276: a stop of the timeline is moved to unserved by keyboard alone", async () => {
    const { page } = planner;
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    const stop = page
      .getByRole("region", { name: "Timeline" })
      .getByRole("button", { name: / · S-\d/ })
      .first();
    await stop.waitFor();
    const uid = /S-\d/.exec((await stop.getAttribute("aria-label")) ?? "")?.[0] ?? "";
    await stop.focus();
    await page.keyboard.press("m");
    const dialog = page.getByRole("dialog", { name: `Move ${uid}` });
    await dialog.getByLabel("Run").press("ArrowDown");
    await page.getByRole("option", { name: "Unserved" }).waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Move" }).press("Enter");
    await page.getByText("1 job was moved to unserved").waitFor();
    const id = firm.jobs.find((job) => job.uid === uid)?.id;
    await expect
      .poll(async () => (await firm.admin.get<{ run_id: number | null }>(`/jobs/${id}`)).run_id)
      .toBeNull();
  });

  it("A-083, A-212, A-213, A-453, A-454, S-20: a territory is typed, counted, split and put into a group", async () => {
    const { page } = planner;
    await page.goto("/territory-builder");
    await page.getByRole("button", { name: "Draw territory" }).click();
    await page.getByLabel("Name").fill("Centre");
    const corners = ["41.10, -8.70", "41.20, -8.70", "41.20, -8.55", "41.10, -8.55"];
    await page.getByLabel(/^Corners/).fill(corners.join("\n"));
    await page.getByRole("button", { name: "Save" }).click();
    const list = page.getByRole("list", { name: "Territories" });
    await list.getByText(/^[1-9]\d* jobs$/).waitFor();
    await list.getByRole("button", { name: /Centre/ }).click();
    // The map comes closer before the line is drawn.
    await page.waitForTimeout(1_500);
    await page.getByRole("button", { name: "Split" }).click();
    const map = await page.getByRole("region", { name: "Map of jobs and runs" }).boundingBox();
    if (map === null) throw new Error("there is no map");
    for (const y of [map.y + 20, map.y + map.height - 40]) {
      await page.mouse.move(map.x + map.width / 2, y, { steps: 4 });
      await page.waitForTimeout(200);
      await page.mouse.click(map.x + map.width / 2, y);
      await page.waitForTimeout(400);
    }
    await expect.poll(async () => (await territories()).length, { timeout: 20_000 }).toBe(2);
    await list.getByText("Centre (2)").waitFor();
    await page.getByRole("tab", { name: "Territory groups" }).click();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Name").fill("Town");
    await page.getByLabel("Territories of the group").click();
    await page.getByRole("option", { name: "Centre (2)" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("list", { name: "Territory groups" }).getByText("Town").waitFor();
    const groups = await firm.admin.get<List<{ territories: Territory[] }>>("/territory_groups");
    expect(groups.data[0]?.territories).toMatchObject([{ name: "Centre (2)" }]);
  });

  it("X-034, X-377, X-517, X-583: a scenario takes the group, X-155 its details lead to the map", async () => {
    const { page } = planner;
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await page.getByRole("button", { name: /Tools day/ }).click();
    await page.getByRole("button", { name: "Edit scenario" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit scenario" });
    await dialog.getByLabel("Territory groups").click();
    await page.getByRole("option", { name: "Town" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Territory groups updated").waitFor();
    const scenario = await firm.admin.get<{ territory_group_ids: number[] }>(
      `/scenarios/${firm.scenario.id}`,
    );
    expect(scenario.territory_group_ids).toHaveLength(1);
  });

  it("P-464: a refused import says why and keeps the keyboard there", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Import jobs" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator('input[type="file"]').setInputFiles({
      name: "jobs.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("uid,address,lat,lon,duration\nBAD-1,Rua 1,41.15,-8.61,-5\n"),
    });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    const reason = dialog.getByRole("alert").filter({ hasText: "could not be automatically imported" });
    await reason.waitFor();
    await expect.poll(() => reason.evaluate((element) => element === document.activeElement)).toBe(true);
    await closeAll();
  });

  it("X-142 X-143 X-145 X-146 X-147 X-148 X-149: Unit Details of the dashboard lead to the job and run", async () => {
    const { page } = planner;
    // One that is still on a run.
    const { data } = await firm.admin.get<List<{ id: number; uid: string; job_id: number }>>("/units");
    const units = await Promise.all(
      data.map(async (unit) => ({
        ...unit,
        job: await firm.admin.get<{ uid: string; run_id: number | null }>(`/jobs/${unit.job_id}`),
      })),
    );
    const unit = units.find(({ job }) => job.run_id !== null);
    if (unit === undefined) throw new Error("no unit is on a run");
    const n = unit.uid.slice(2);
    await firm.admin.call("POST", "/unit_proofs", { unit_id: unit.id, mode: "load", comments: "By hand" });
    await page.goto("/dashboard/database/units");
    const row = page.getByRole("row").filter({ hasText: unit.uid });
    await row.getByRole("button", { name: "Unit Details" }).click();
    const dialog = page.getByRole("dialog", { name: `Unit Details - ${unit.uid}` });
    for (const text of [
      unit.uid,
      unit.job.uid,
      `Customer ${n}`,
      `Rua ${n}, Porto`,
      "Unit Timeline",
      "By hand",
    ]) {
      await dialog.getByText(text, { exact: true }).first().waitFor();
    }
    await dialog.getByText(/^Tools day · \d\d\/\d\d\/\d{4}$/).waitFor();
    await dialog.getByRole("button", { name: "Unit Proof", exact: true }).last().waitFor();
    const target = (name: string) => dialog.getByRole("link", { name }).getAttribute("href");
    await expect.poll(() => target("View Scenario")).toBe(`/?active_scenario=${firm.scenario.id}`);
    await expect.poll(() => target("Job Details")).toBe(`/dashboard/database/jobs/${unit.job_id}`);
    await dialog.getByRole("link", { name: "Run Details" }).click();
    await page.getByRole("tab", { name: "Performance" }).waitFor();
    // Opened from the list, a run is first shown as its row, which knows less than the page needs.
    await page.getByRole("link", { name: "List" }).click();
    await page.locator("main table").getByRole("link").first().click();
    await page.getByRole("tab", { name: "Performance" }).click();
    await page.getByText(/^0 of \d+$/).waitFor();
  });

  it("left no error in the console", () => {
    expect(planner.faults).toEqual([]);
  });

  async function closeAll(): Promise<void> {
    const close = planner.page.getByRole("dialog").getByRole("button", { name: "Close" });
    while ((await close.count()) > 0) {
      const left = await close.count();
      await close.last().click();
      await expect.poll(() => close.count()).toBeLessThan(left);
    }
  }
});
