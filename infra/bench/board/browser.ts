import { type Browser, chromium, type Page } from "playwright-core";
import { baseUrl, login } from "./data.ts";

/** The distribution's browser, without a graphics card and without its calls home. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
    ],
  });
}

/** A window in which the administrator has signed in, scripts in its cache. */
export async function signedIn(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1366, height: 768 },
    baseURL: baseUrl,
    timezoneId: "Europe/Lisbon",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto("/");
  await page.getByLabel("Email").fill(login.email);
  await page.getByLabel("Password", { exact: true }).fill(login.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const confirm = page.getByRole("button", { name: "Confirm" });
  const menu = page.getByRole("button", { name: /user menu/i }).first();
  // Not a race of two: the one that loses would go on looking through the page, and be measured.
  await confirm.or(menu).first().waitFor();
  if (await confirm.isVisible()) {
    await page.getByRole("checkbox").check();
    await confirm.click();
    await confirm.waitFor({ state: "hidden" });
  }
  await page.addInitScript(markProgress);
  return page;
}

/** Marks in the page's own time line when the first jobs and when the whole board are drawn. */
function markProgress(): void {
  let first = false;
  const look = (): void => {
    const jobs = document.querySelector('[role="list"][aria-label="Jobs"] [role="listitem"]') !== null;
    if (jobs && !first) {
      first = true;
      performance.mark("first-jobs");
    }
    const loading = document.querySelector("aside [role=progressbar]") !== null;
    if (jobs && !loading && document.querySelector('[role="region"][aria-label="Timeline"]') !== null) {
      performance.mark("whole");
      return;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Waits until the page's thread answered every timer in time for so many milliseconds. */
export function quiet(page: Page, milliseconds: number): Promise<void> {
  return page.evaluate(async (wanted) => {
    const STEP = 25;
    for (let since = performance.now(); performance.now() - since < wanted;) {
      const asked = performance.now();
      await new Promise((done) => setTimeout(done, STEP));
      if (performance.now() - asked > STEP + 25) since = performance.now();
    }
  }, milliseconds);
}

/** A piece of work on the page's own thread; microseconds of the machine's clock, and of the processor. */
interface Task {
  start: number;
  end: number;
  work: number;
}

export interface Recording {
  /** Seconds for which the page's own thread had the processor between two moments, all by default. */
  busy: (from?: number, to?: number) => number;
  /** Moment of a mark that the page has set. */
  mark: (name: string) => number;
}

/** The machine's clock as recordings tell it, microseconds. */
export function clock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Records what the page's own thread does during some work. */
export async function record(page: Page, work: () => Promise<void>): Promise<Recording> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the browser is gone");
  await browser.startTracing(page, {
    categories: ["disabled-by-default-devtools.timeline", "blink.user_timing"],
  });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return read(trace.traceEvents);
}

function read(events: readonly TraceEvent[]): Recording {
  const key = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const main = new Set(
    events
      .filter((event) => event.name === "thread_name" && event.args?.name === "CrRendererMain")
      .map((event) => key(event)),
  );
  const tasks: Task[] = events
    .filter((event) => event.name === "RunTask" && event.ph === "X" && main.has(key(event)))
    .map(({ ts, dur = 0, tdur = 0 }) => ({ start: ts, end: ts + dur, work: tdur }));
  if (tasks.length === 0) throw new Error("the browser recorded no work");
  return {
    busy: (from = -Infinity, to = Infinity) =>
      tasks.reduce((sum, task) => sum + task.work * partBetween(task, from, to), 0) / 1e6,
    mark: (name) => {
      const found = events.find((event) => event.name === name);
      if (found === undefined) throw new Error(`the page never came to '${name}'`);
      return found.ts;
    },
  };
}

/** How much of a task lies between two moments, 0 to 1. */
function partBetween({ start, end }: Task, from: number, to: number): number {
  const inside = Math.min(end, to) - Math.max(start, from);
  return end === start ? 0 : Math.max(0, inside) / (end - start);
}
