import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found, type Stop } from "./firm.ts";
import { baseUrl, launch, open, signIn, type Watched } from "./product.ts";

interface Located extends Stop {
  seq: number;
  location: { lat: number; lon: number };
}

/** Milliseconds: sockets are told of a run's position once in five seconds. */
const TOLD = 5_500;

/** A driver's phone, beside the browser. */
class Phone {
  private constructor(
    readonly run: string,
    readonly token: string,
  ) {}

  static async of(run: string): Promise<Phone> {
    const nobody = new Phone(run, "");
    const answer = await nobody.call("POST", "/auth/runsheet_token", { token_uid: run });
    return new Phone(run, (answer as { runsheet_token: string }).runsheet_token);
  }

  async call(method: string, path: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(this.token === "" ? {} : { authorization: `Token ${this.token}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  start(at: Date): Promise<unknown> {
    return this.call("PUT", "/v2/runsheet/start_route", {
      odometer: 100,
      actual_start_time: at.toISOString(),
    });
  }

  proof(job: number, at: Date, success: boolean): Promise<unknown> {
    const record_time = at.toISOString().slice(0, 19).replace("T", " ");
    return this.call("POST", `/runsheet/${this.run}/job_proofs`, { job_id: job, success, record_time });
  }

  positions(points: { lat: number; lon: number; at: Date }[]): Promise<unknown> {
    const body = points.map(({ lat, lon, at }) => ({
      lat,
      lon,
      accuracy: 10,
      recorded_at: at.toISOString(),
    }));
    return this.call("POST", "/v2/runsheet/gps_points", body);
  }
}

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
    await expect.poll(() => page.getByRole("button", { name: "Optimise" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "New job" }).count()).toBe(0);
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
    await expect.poll(() => list.getByRole("listitem").first().innerText()).toContain("S-1");
    await page.getByRole("button", { name: "Late 1" }).click();
    await list.getByText("S-8 · Customer 8").waitFor({ state: "detached" });
    await list.getByRole("button", { name: "What can be done about S-1" }).click();
    await page.getByRole("menuitem", { name: "Details", exact: true }).click();
    await page.getByRole("dialog", { name: /^Job Details/ }).waitFor();
    await page.keyboard.press("Escape");
    await list.getByRole("button", { name: "What can be done about S-1" }).click();
    await page.getByRole("menuitem", { name: "Run Details" }).click();
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
    await expect.poll(() => told()).not.toMatch(time);
    await showRuns();
    await runs
      .first()
      .getByRole("button", { name: /^Stops/ })
      .click();
    await runs.first().getByRole("listitem").first().waitFor();
    await expect.poll(() => told()).not.toMatch(time);

    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await jobs.first().waitFor();
    await expect.poll(() => told()).toMatch(time);
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

/** What goes wrong while a day is driven, as the office sees it (issue 13, section 3). */
describe("trouble first", () => {
  let browser: Browser;
  let firm: Firm;
  let office: Watched;
  let stops: Located[];
  let phone: Phone;

  const minutes = (ago: number): Date => new Date(Date.now() - ago * 60_000);
  const list = () => office.page.getByRole("list", { name: "Exceptions" });
  const line = (kind: string) =>
    list()
      .getByRole("listitem")
      .filter({ hasText: `${kind}:` });
  const about = async (uid: string, action: string): Promise<void> => {
    await list()
      .getByRole("button", { name: `What can be done about ${uid}` })
      .first()
      .click();
    await office.page.getByRole("menuitem", { name: action }).click();
  };

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Trouble");
    await firm.admin.call("PATCH", `/scenarios/${firm.scenario.id}`, { stage: "tracking" });
    const all = await firm.admin.get<{ data: Located[] }>(
      `/jobs?scenario_ids=${firm.scenario.id}&per_page=50`,
    );
    const [run] = firm.runs;
    stops = all.data.filter((job) => job.run_id === run?.id).sort((a, b) => a.seq - b.seq);
    phone = await Phone.of(run?.token ?? "");
    // It should have left an hour ago, whatever the time is now.
    await firm.admin.call("PATCH", `/runs/${run?.id ?? 0}`, {
      planned_start_time: minutes(60).toISOString(),
      planned_end_time: minutes(-240).toISOString(),
    });
    office = await open(browser);
    await signIn(office.page, firm.email, firm.secret);
  });
  afterAll(() => browser.close());

  it("Live stands in the top bar and opens the plan of today, with what needs a look counted", async () => {
    const { page } = office;
    const live = page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Live" });
    await live.getByText(/^[1-9]/).waitFor();
    await live.click();
    await page.waitForURL(`**/liveview?active_scenario=${firm.scenario.id}`);
    await page.getByRole("heading", { name: "Exceptions" }).waitFor();
  });

  it("a run that does not start is told with the time it should have left, until it starts", async () => {
    await line("Not started")
      .getByText(/should have left at \d\d:\d\d/)
      .waitFor();
    await expect.poll(() => line("Not started").innerText()).toMatch(/\d+ min ago|\d+ h \d\d min ago/);
    await phone.start(minutes(50));
    await line("Not started").waitFor({ state: "detached" });
    expect(office.faults).toEqual([]);
  });

  it("a failed stop, a vehicle that stands and a stop that was left out come by themselves", async () => {
    const [first, second, third] = stops as [Located, Located, Located];
    await phone.proof(first.id, minutes(40), false);
    await line("Unsuccessful").getByText(first.uid).waitFor();

    const aside = { lat: second.location.lat + 0.004, lon: second.location.lon + 0.006 };
    const stood = Array.from({ length: 25 }, (_, minute) => ({ ...aside, at: minutes(30 - minute) }));
    await phone.positions(stood);
    await office.page.reload();
    await line("Long stop")
      .getByText(/stood for 2\d min away from its open stops when last seen at/)
      .waitFor();

    await phone.proof(third.id, minutes(2), true);
    await line("Off plan").getByText(`${third.uid} was served before ${second.uid}`).waitFor();
    // The proof was made: it no longer stands idle.
    await line("Long stop").waitFor({ state: "detached" });
    await phone.proof(second.id, minutes(1), true);
    await line("Off plan").waitFor({ state: "detached" });
    expect(office.faults).toEqual([]);
  });

  it("what will be late is told with its range before the window closes, and is gone when the window is kept", async () => {
    const late = stops.at(-1) as Located;
    const clock = (at: Date): string =>
      at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Europe/Lisbon" });
    const soon = clock(minutes(-3));
    // Near midnight the window would be of another day.
    if (soon < clock(minutes(60))) return;
    await firm.admin.call("PATCH", `/jobs/${late.id}`, { leave_by: soon });
    const told = line("Late").filter({ hasText: late.uid });
    await told.getByText(/expected \d\d:\d\d \(\d\d:\d\d–\d\d:\d\d\)/).waitFor();
    await expect.poll(() => told.innerText()).toMatch(/in [123] min/);
    await firm.admin.call("PATCH", `/jobs/${late.id}`, { leave_by: null });
    await told.waitFor({ state: "detached" });
  });

  it("a position is shown as stale until a new one comes; two far from the way are off plan", async () => {
    const { page } = office;
    const far = { lat: 41.3, lon: -8.3 };
    await line("Unsuccessful")
      .getByText(/position \d+ min old/)
      .waitFor();
    await page.waitForTimeout(TOLD);
    await phone.positions([{ ...far, at: minutes(0.2) }]);
    // In the list and on the map.
    await expect.poll(() => page.getByText(/position \d+ min old/).count(), { timeout: 15_000 }).toBe(0);
    await expect.poll(() => line("Off plan").count()).toBe(0);
    await page.waitForTimeout(TOLD);
    await phone.positions([{ ...far, lon: -8.301, at: minutes(0) }]);
    await line("Off plan")
      .getByText(/km off the planned way/)
      .waitFor();
    expect(office.faults).toEqual([]);
  });

  it("a job goes to another day after it was said what becomes of it; a customer is told after it was said whom", async () => {
    const { page } = office;
    const { admin, scenario } = firm;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const next = await admin.call<{ id: number }>("POST", "/scenarios", {
      name: "The day after",
      scheduled_date: tomorrow,
    });
    const moved = stops[4] as Located;
    await admin.call("PATCH", `/jobs/${moved.id}`, { leave_by: "00:05" });
    await list().getByText(`${moved.uid} · `).first().waitFor();

    await about(moved.uid, "Tell the customer…");
    const question = page.getByRole("dialog", { name: "Tell the customer" });
    await question.getByText(/customer@example\.org/).waitFor();
    await question.getByRole("button", { name: "Send" }).click();
    await page.getByText("Successfully sent").waitFor();

    await about(moved.uid, "Move to another day…");
    const dialog = page.getByRole("dialog", { name: `Move ${moved.uid} to another day` });
    await dialog.getByText(/which then makes \d+ stops/).waitFor();
    await dialog.getByText(/In The day after of .* it stands unserved/).waitFor();
    await dialog.getByRole("button", { name: "Move there" }).click();
    await dialog.waitFor({ state: "hidden" });
    await list().getByText(`${moved.uid} · `).waitFor({ state: "detached" });
    const there = await admin.get<{ data: Located[] }>(`/jobs?scenario_ids=${next.id}&per_page=50`);
    expect(there.data.map(({ uid, run_id }) => [uid, run_id])).toEqual([[moved.uid, null]]);
    const left = await admin.get<{ data: Located[] }>(`/jobs?scenario_ids=${scenario.id}&per_page=50`);
    expect(left.data.map(({ uid }) => uid)).not.toContain(moved.uid);
    expect(office.faults).toEqual([]);
  });

  it("a run that ends without all proofs is told stop by stop", async () => {
    await phone.call("PUT", "/v2/runsheet/end_route", {
      odometer: 150,
      actual_end_time: new Date().toISOString(),
    });
    await line("No proof")
      .first()
      .getByText(/the run ended at \d\d:\d\d without a proof/)
      .waitFor();
    await expect.poll(() => line("No proof").count()).toBe(stops.length - 4);
  });

  it("on a phone the list comes first, and the menu is in reach", async () => {
    const { page, context, faults } = await open(browser, { width: 390, height: 844 });
    await signIn(page, firm.email, firm.secret);
    await page.getByRole("link", { name: "Live" }).click();
    const lines = page.getByRole("list", { name: "Exceptions" }).getByRole("listitem");
    await lines.first().waitFor();
    const box = await lines.first().boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    await lines
      .first()
      .getByRole("button", { name: /^What can be done about / })
      .click();
    const menu = await page.getByRole("menu").boundingBox();
    expect((menu?.x ?? 0) + (menu?.width ?? 999)).toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);
    await context.close();
  });
});
