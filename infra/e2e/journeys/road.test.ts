import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found, type Stop, type Tour } from "./firm.ts";
import { baseUrl, launch, open as openWindow, signIn } from "./product.ts";

interface Proof {
  job_id: number;
  record_time: string;
  comments: string | null;
  photos: unknown[];
  signature: object | null;
}
interface Evidence {
  kind: string;
  state: string;
  job_uid: string | null;
}
interface List<T> {
  data: T[];
  total_count: number;
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const photo = (n: number) => ({ name: `photo-${n}.png`, mimeType: "image/png", buffer: PNG });

/** What a phone records reaches the office once, whatever becomes of the network, the windows and the plan. */
describe("a run sheet that loses nothing", () => {
  let browser: Browser;
  let firms: Firm[];

  beforeAll(async () => {
    browser = await launch();
    firms = await Promise.all([found("Road"), found("Street")]);
  });
  afterAll(() => browser.close());

  const firm = (n: number): Firm => firms[n] as Firm;
  const run = (n: number): Tour => firm(n).runs[0] as Tour;
  const proofs = (n: number): Promise<List<Proof>> => firm(n).admin.get(`/job_proofs?run_id=${run(n).id}`);
  const evidence = (n: number): Promise<List<Evidence>> =>
    firm(n).admin.get(`/evidence?run_id=${run(n).id}&per_page=50`);

  /** A phone; without the service worker, so that every request can be cut. */
  async function phone(serviceWorkers: "allow" | "block"): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      baseURL: baseUrl,
      serviceWorkers,
    });
    context.setDefaultTimeout(20_000);
    return context;
  }

  async function open(context: BrowserContext, n: number): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`/runsheet?runsheet=true&token=${run(n).token}`);
    await page
      .getByText(/of \d+ stops/)
      .first()
      .waitFor();
    return page;
  }

  async function start(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Start route" }).click();
    await page.getByLabel(/Start odometer/).fill("100");
    await page.getByRole("button", { name: "Start route" }).last().click();
    await page.getByText(/Started \d\d:\d\d/).waitFor();
  }

  async function sign(page: Page): Promise<void> {
    const pad = page.getByRole("img", { name: "Signature" });
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (box === null) throw new Error("There is no place to sign");
    await page.mouse.move(box.x + 20, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 90, { steps: 6 });
    await page.mouse.up();
    await page.getByLabel("Name of signer").fill("Maria");
  }

  async function record(page: Page, comment: string, photos: number): Promise<void> {
    // A window behind another one draws once a second: it would be signed for ages.
    await page.bringToFront();
    await page.getByRole("button", { name: "Record proof" }).first().click();
    await page.getByLabel("Comments").fill(comment);
    if (photos > 0) {
      const files = Array.from({ length: photos }, (_, at) => photo(at));
      await page.locator("input[type=file]").first().setInputFiles(files);
    }
    await sign(page);
    await page.getByRole("button", { name: "Save proof" }).click();
    await page
      .getByText(/of \d+ stops/)
      .first()
      .waitFor();
  }

  /** Presses "Send now" until nothing waits; every press must say something. */
  async function sendAll(page: Page, before: () => void = () => undefined): Promise<void> {
    const now = page.getByRole("button", { name: "Send now" });
    for (let n = 0; n < 30 && (await now.isVisible()); n += 1) {
      before();
      await now.click({ timeout: 2_000 }).catch(() => undefined);
      await page.waitForTimeout(250);
    }
    await now.waitFor({ state: "detached" });
  }

  async function proofOf(n: number, comment: string): Promise<Proof> {
    await expect
      .poll(async () => (await proofs(n)).data.filter(({ comments }) => comments === comment).length, {
        timeout: 15_000,
      })
      .toBe(1);
    const proof = (await proofs(n)).data.find(({ comments }) => comments === comment) as Proof;
    const at = Date.parse(`${proof.record_time.replace(" ", "T")}Z`);
    expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
    return proof;
  }

  it("W-042 W-044: every answer is lost once, and nobody notices", async () => {
    const context = await phone("block");
    const lost = new Set<string>();
    await context.route("**/api/**", async (route: Route) => {
      const request = route.request();
      const name = `${request.method()} ${new URL(request.url()).pathname} ${request.headers()["idempotency-key"] ?? request.postData()?.slice(0, 40) ?? ""}`;
      if (request.method() === "GET" || lost.has(name)) return route.continue();
      lost.add(name);
      await route.fetch().catch(() => undefined);
      await route.abort("connectionreset");
    });
    const page = await context.newPage();
    await page.goto(`/runsheet?runsheet=true&token=${run(0).token}`);
    // The first token is lost too: the sheet comes with the next attempt.
    await page.waitForTimeout(500);
    await page.reload();
    await page
      .getByText(/of \d+ stops/)
      .first()
      .waitFor();
    await start(page);
    await sendAll(page);
    await record(page, "Every answer lost", 2);
    await sendAll(page);
    const proof = await proofOf(0, "Every answer lost");
    expect([proof.photos.length, proof.signature === null]).toEqual([2, false]);
    expect((await firm(0).admin.get<List<object>>(`/run_proofs?run_id=${run(0).id}`)).total_count).toBe(1);
    expect((await evidence(0)).data.map(({ state }) => state)).toEqual(["filed", "filed"]);
    expect(lost.size).toBeGreaterThanOrEqual(6);
    await context.close();
  });

  it("every request is sent twice, and stored once", async () => {
    const context = await phone("block");
    await context.route("**/api/v2/**", async (route: Route) => {
      if (route.request().method() === "GET") return route.continue();
      await route.fetch();
      await route.fulfill({ response: await route.fetch() });
    });
    const page = await open(context, 0);
    await record(page, "Everything twice", 1);
    await sendAll(page);
    expect((await proofOf(0, "Everything twice")).photos).toHaveLength(1);
    expect((await evidence(0)).total_count).toBe(3);
    await context.close();
  });

  it("W-042 W-046: the network is cut at every request, one after the other", async () => {
    const context = await phone("block");
    let [allowed, passed] = [Infinity, 0];
    await context.route("**/api/**", (route: Route) => {
      passed += 1;
      return passed > allowed ? route.abort("internetdisconnected") : route.continue();
    });
    const page = await open(context, 0);
    [allowed, passed] = [0, 0];
    await record(page, "Cut everywhere", 2);
    await page.getByText(/^Not sent yet: 1/).waitFor();
    let attempts = 0;
    await sendAll(page, () => {
      [allowed, passed] = [attempts, 0];
      attempts += 1;
    });
    allowed = Infinity;
    expect((await proofOf(0, "Cut everywhere")).photos).toHaveLength(2);
    expect((await evidence(0)).total_count).toBe(4);
    await context.close();
  });

  it("W-047: a form outlives a reload, and what was saved a killed window", async () => {
    const context = await phone("block");
    let page = await open(context, 0);
    await page.getByRole("button", { name: "Record proof" }).first().click();
    await page.getByLabel("Comments").fill("Killed");
    await sign(page);
    await page.waitForTimeout(600);
    await page.reload();
    await context.route("**/api/v2/runsheet/**", () => undefined);
    await page.getByRole("button", { name: "Record proof" }).first().click();
    await expect.poll(() => page.getByLabel("Comments").inputValue()).toBe("Killed");
    await page.getByRole("button", { name: "Save proof" }).click();
    await page.getByText(/^Not sent yet: 1/).waitFor();
    await page.close();
    await context.unroute("**/api/v2/runsheet/**");
    page = await open(context, 0);
    expect((await proofOf(0, "Killed")).signature).not.toBeNull();
    await page.getByText(/^4 of 8 stops/).waitFor();

    // W-049: what was saved can be looked at and corrected; the older proof stays.
    await page.getByRole("button", { name: /^Show done stops/ }).click();
    await page.getByRole("button", { name: "Look or correct" }).last().click();
    await expect.poll(() => page.getByLabel("Comments").inputValue()).toBe("Killed");
    await page.getByLabel("Comments").fill("Corrected");
    await page.getByRole("button", { name: "Save correction" }).click();
    expect((await proofOf(0, "Corrected")).signature).not.toBeNull();
    expect((await proofs(0)).total_count).toBe(5);
    await context.close();
  });

  it("W-042: what an older version of the page left on the phone is taken over", async () => {
    const context = await phone("block");
    const page = await context.newPage();
    // The page itself is not open yet: an older version worked here last.
    await page.goto("/mark.svg");
    const proven = new Set((await proofs(0)).data.map(({ job_id: id }) => id));
    const jobs = await firm(0).admin.get<List<Stop & { seq: number }>>(
      `/jobs?run_ids=${run(0).id}&per_page=50`,
    );
    const [left, next] = jobs.data.filter(({ id }) => !proven.has(id)).toSorted((a, b) => a.seq - b.seq);
    if (!left || !next) throw new Error("there are no two stops left");
    const old = {
      token: run(0).token,
      draft: `draft:${run(0).id}:${next.id}`,
      png: PNG.toString("base64"),
      proof: {
        id: "0d1f2c34-5b6a-4c7d-8e9f-a0b1c2d3e4f5",
        what: left.uid,
        kind: "job_proof",
        subjectId: left.id,
        refusal: null,
        body: {
          job_id: left.id,
          success: true,
          reason_id: null,
          record_time: new Date().toISOString().slice(0, 19).replace("T", " "),
          signature_id: null,
          photo_ids: [],
          comments: "Before the update",
        },
      },
    };
    await page.evaluate(async ({ token, draft, png, proof }) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const data = new Blob([bytes], { type: "image/png" });
      const files = [{ field: "photo_ids", name: "photo-1.png", data, storedId: null }];
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("keyval-store");
        opening.onupgradeneeded = () => opening.result.createObjectStore("keyval");
        opening.onsuccess = () => {
          const writing = opening.result.transaction("keyval", "readwrite");
          writing.objectStore("keyval").put([{ ...proof, files }], `outbox:${token}`);
          writing.objectStore("keyval").put({ comments: "Half filled" }, draft);
          writing.oncomplete = () => {
            opening.result.close();
            resolve();
          };
          writing.onerror = () => reject(new Error("The old queue was not written"));
        };
      });
    }, old);
    await page.goto(`/runsheet?runsheet=true&token=${run(0).token}`);
    expect((await proofOf(0, "Before the update")).photos).toHaveLength(1);
    await page.getByText(/^5 of 8 stops/).waitFor();
    await page.getByRole("button", { name: "Record proof" }).first().click();
    await expect.poll(() => page.getByLabel("Comments").inputValue()).toBe("Half filled");
    const keys = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open("keyval-store");
          opening.onsuccess = () => {
            const asking = opening.result.transaction("keyval").objectStore("keyval").getAllKeys();
            asking.onsuccess = () => resolve(asking.result);
          };
        }),
    );
    expect(keys).toEqual([]);
    await context.close();
  });

  it("W-040: two windows record without a connection, are closed, and both records arrive", async () => {
    const context = await phone("allow");
    let one = await open(context, 1);
    await start(one);
    await expect.poll(async () => (await evidence(1)).total_count, { timeout: 15_000 }).toBe(1);
    await expect
      .poll(() => one.evaluate(async () => (await caches.match("/runsheet")) !== undefined), {
        timeout: 20_000,
      })
      .toBe(true);
    await context.setOffline(true);
    const two = await open(context, 1);
    await one.reload();
    await one.getByText(/^No connection\. You see/).waitFor();
    await record(one, "First window", 0);
    await two.getByText(/^Not sent yet: 1/).waitFor();
    await record(two, "Second window", 1);
    await one.getByText(/^Not sent yet: 2/).waitFor();
    await expect.poll(() => one.getByRole("button", { name: "Send now" }).count()).toBe(1);
    await one.getByRole("button", { name: "Send now" }).click();
    await one.getByText(/^The office cannot be reached/).waitFor();
    await one.close();
    await two.close();
    expect((await proofs(1)).total_count).toBe(0);
    await context.setOffline(false);
    one = await open(context, 1);
    await proofOf(1, "First window");
    await proofOf(1, "Second window");
    await one.getByText(/^2 of 8 stops/).waitFor();
    await context.close();
  });

  it("W-041: a job that moved meanwhile keeps its evidence, a deleted one's waits for the planner", async () => {
    const context = await phone("allow");
    const page = await open(context, 1);
    const proven = new Set((await proofs(1)).data.map(({ job_id: id }) => id));
    const { admin, scenario } = firm(1);
    const drivers = await admin.get<List<{ id: number; uid: string }>>("/drivers");
    const idle = drivers.data.find(({ uid }) => uid !== run(1).uid);
    const body = { scenario_id: scenario.id, driver_id: idle?.id };
    const other = await admin.call<Tour>("POST", "/runs", body);
    const jobs = await admin.get<List<Stop & { seq: number }>>(
      `/jobs?scenario_ids=${scenario.id}&per_page=50`,
    );
    const [moved, deleted] = jobs.data
      .filter((job) => job.run_id === run(1).id && !proven.has(job.id))
      .toSorted((a, b) => a.seq - b.seq);
    await context.setOffline(true);
    await record(page, "Moved meanwhile", 0);
    await record(page, "Deleted meanwhile", 1);
    const moving = { job_ids: [moved?.id], seq: null, pool: false };
    await admin.call("PUT", `/runs/move_job_to_new/${other.id}`, moving);
    await admin.call("DELETE", `/jobs/${deleted?.id}`);
    await context.setOffline(false);
    await expect
      .poll(async () => (await evidence(1)).data.map(({ state }) => state).toSorted(), { timeout: 40_000 })
      .toEqual(["filed", "filed", "filed", "moved", "open"]);
    expect((await admin.get<List<Proof>>(`/job_proofs?job_id=${moved?.id}`)).data[0]?.comments).toBe(
      "Moved meanwhile",
    );
    await page.getByText(/^Not sent yet/).waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("The office could not take a record").count()).toBe(0);
    await context.close();
  });

  it("what the office changes is told on the phone and confirmed there, and the office sees both", async () => {
    interface Contact {
      run_id: number;
      waiting: number;
      unconfirmed: { kind: string; uid: string }[];
    }
    const { admin, scenario } = firm(1);
    const contact = async (): Promise<Contact | undefined> =>
      (await admin.get<Contact[]>(`/scenarios/${scenario.id}/contacts`)).find(
        ({ run_id: id }) => id === run(1).id,
      );
    const context = await phone("block");
    const page = await open(context, 1);
    await expect.poll(async () => (await contact())?.waiting, { timeout: 15_000 }).toBe(0);
    const known = page.getByText("The office changed your run");
    // The test before has changed the run.
    await known.waitFor();
    await page.getByRole("button", { name: "Confirm the changes" }).click();
    await known.waitFor({ state: "detached" });
    const body = {
      uid: "S-NEW",
      scenario_id: scenario.id,
      customer_name: "Customer New",
      location: { address: "Rua Nova, Porto", lat: 41.16, lon: -8.62 },
    };
    const job = await admin.call<{ id: number }>("POST", "/jobs", body);
    const moving = { job_ids: [job.id], seq: null, pool: false };
    await admin.call("PUT", `/runs/move_job_to_new/${run(1).id}`, moving);
    expect((await contact())?.unconfirmed).toMatchObject([{ kind: "added", uid: "S-NEW" }]);
    // As when the connection comes back: the phone reports itself.
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await page.getByText(/^New: Customer New \(S-NEW\), stop \d+ at \d\d:\d\d/).waitFor();
    await page.getByText("Rua Nova, Porto").waitFor();
    await page.getByRole("button", { name: "Confirm the changes" }).click();
    await known.waitFor({ state: "detached" });
    expect((await contact())?.unconfirmed).toEqual([]);
    await context.close();
  });

  it("W-041: the planner sees what waits, gives it to a job or puts it aside", async () => {
    const { page, context } = await openWindow(browser);
    await signIn(page, firm(1).email, firm(1).secret);
    await page.goto(`/?active_scenario=${firm(1).scenario.id}`);
    await page.getByRole("button", { name: "Evidence (2)" }).click();
    const dialog = page.getByRole("dialog", { name: "Evidence to decide on" });
    const open = dialog.getByRole("listitem").filter({ hasText: "Deleted meanwhile" });
    // Which stop the test before deleted depends on the order of the run.
    const standing = await firm(1).admin.get<List<{ id: number; uid: string }>>(
      `/jobs?scenario_ids=${firm(1).scenario.id}&per_page=50`,
    );
    const job = standing.data[0] as { id: number; uid: string };
    await open.getByLabel("Job").fill(job.uid);
    await page.getByRole("option", { name: new RegExp(`^${job.uid} `) }).click();
    await open.getByRole("button", { name: "Assign to the job" }).click();
    await open.waitFor({ state: "detached" });
    const told = dialog.getByRole("listitem").filter({ hasText: "Moved meanwhile" });
    await told.getByRole("button", { name: "Put aside" }).click();
    await dialog.getByText("Nothing waits for a decision.").waitFor();
    const stored = await firm(1).admin.get<List<Proof>>(`/job_proofs?job_id=${job.id}`);
    expect(stored.data.some(({ comments }) => comments === "Deleted meanwhile")).toBe(true);
    await context.close();
  });
});
