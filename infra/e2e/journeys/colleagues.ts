import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { type Firm, type Tour } from "./firm.ts";
import { baseUrl } from "./product.ts";

export interface Job {
  id: number;
  uid: string;
  run_id: number | null;
  seq: number | null;
  eta: string | null;
  updated_eta: string | null;
  proof_time: string | null;
  successful: boolean;
  visited: boolean;
}
export interface Run {
  id: number;
  uid: string;
  status: "pending" | "started" | "driving" | "closed";
  dispatched: boolean;
}
interface List<T> {
  data: T[];
}

/** The same choices in every run of the test. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** What became of the actions. */
export interface Tally {
  done: number;
  /** Refused because somebody else changed the same: what was said. */
  conflicts: string[];
  /** Refused for what the plan is by now. */
  late: number;
  /** Made on a screen. */
  drawn: number;
}

export const nothing = (): Tally => ({ done: 0, conflicts: [], late: 0, drawn: 0 });

/** Who changed what, and when: `Ana Reis moved S-3 from Maria to João at 14:02.` */
const SENTENCE = /^(Ana Reis|Rui Faria|The driver( of \S+)?) (moved|took|changed|deleted) .+ at \d\d:\d\d\.$/;

/** A call in somebody's session that may be refused, but not for any reason. */
async function call(
  token: string,
  tally: Tally,
  method: string,
  path: string,
  body?: unknown,
  version?: number,
): Promise<void> {
  const response = await fetch(`${baseUrl}/api${path}`, {
    method,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(version === undefined ? {} : { "plan-version": String(version) }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) {
    tally.done += 1;
    return;
  }
  const { error, description } = JSON.parse(text) as { error?: string; description?: string };
  if (response.status === 409 && error === "PLAN_CHANGED") {
    expect(description).toMatch(SENTENCE);
    tally.conflicts.push(description ?? "");
  } else if ([400, 404, 409].includes(response.status) && (description ?? "").length > 8) {
    tally.late += 1;
  } else {
    throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  }
}

/** Somebody who plans, half of it by his screen's calls. */
export class Colleague {
  readonly tally = nothing();
  private plan: Shown | null = null;

  constructor(
    private readonly firm: Firm,
    private readonly name: string,
    private readonly token: string,
    private readonly page: Page,
    private readonly drivers: number[],
    private readonly roll: (sides: number) => number,
  ) {}

  /** One of the actions; every `onScreen`th is made with the mouse and the keyboard. */
  async act(n: number, onScreen: boolean): Promise<void> {
    // Nobody looks before each thing he does.
    if (this.plan === null || onScreen || this.roll(3) === 0) this.plan = await planOf(this.firm);
    const { plan } = this;
    const job = this.one(plan.jobs);
    const run = this.one(plan.runs);
    if (onScreen) {
      const drawn =
        this.roll(3) > 0
          ? moveOnScreen(this.page, job, run)
          : editOnScreen(this.page, job, `${this.name} ${n}`);
      await drawn.then(
        () => (this.tally.drawn += 1),
        // The job may have gone from the screen under the hand.
        () => (this.tally.late += 1),
      );
      await putDown(this.page);
      return;
    }
    const [method, path, body] = this.choose(n, plan, job, run);
    await call(this.token, this.tally, method, path, body, plan.version);
  }

  private one<T>(list: readonly T[]): T {
    const item = list[this.roll(list.length)];
    if (item === undefined) throw new Error("nothing is left to work on");
    return item;
  }

  private choose(n: number, plan: Shown, { id, uid }: Job, run: Run): [string, string, unknown] {
    const of = this.firm.scenario.id;
    const other = this.one(plan.jobs).id;
    const minutes = 1 + this.roll(20);
    const place = { address: `Rua ${this.name} ${n}, Porto`, lat: 41.14 + this.roll(40) / 1000, lon: -8.62 };
    const kind = this.roll(20);
    if (kind < 5)
      return [
        "PUT",
        `/runs/move_job_to_new/${run.id}`,
        { job_ids: [...new Set([id, other])], seq: 1 + this.roll(3) },
      ];
    if (kind < 7) return ["PUT", "/runs/move_job_to_new/unserved", { job_ids: [id] }];
    if (kind === 7) {
      const moves = [
        { run_id: run.id, job_ids: [id] },
        { run_id: null, job_ids: [other] },
      ];
      return ["PUT", "/runs/bulk_move_jobs", { moves }];
    }
    if (kind === 8) return ["PATCH", `/jobs/${id}`, { comments: `${this.name} ${n}` }];
    if (kind === 9) return ["PATCH", `/jobs/${id}`, { duration: minutes }];
    if (kind === 10) return ["POST", `/runs/${run.id}/delay`, { delay: minutes }];
    if (kind === 11) return ["POST", `/runs/${run.id}/reverse_sequence`, {}];
    if (kind === 12) return ["PATCH", `/runs/${run.id}`, { route_colour: `#${112233 + minutes}` }];
    if (kind === 13 && plan.jobs.length > 10 && this.name === "A")
      return ["DELETE", `/jobs/${id}`, undefined];
    if (kind === 14 && plan.jobs.length < 30) {
      const rows = [0, 1].map((row) => ({ uid: `${this.name}-${n}-${row}`, address: `41.16, -8.6${row}` }));
      return [
        "POST",
        "/jobs/template_upload",
        { rows: [...rows, { uid, reference: `R${n}` }], scenario_id: of },
      ];
    }
    if (kind === 15)
      return [
        "PATCH",
        "/jobs/bulk_update",
        { job_ids: [...new Set([id, other])], values: { colour: "#445566" } },
      ];
    if (kind === 16) return ["PUT", "/jobs/move_to_pool", { job_ids: [id] }];
    if (kind === 17) return ["POST", "/runs/dispatch", [{ run_id: run.id, method: "qrcode" }]];
    if (kind === 18 && n % 3 === 0) {
      return ["POST", `/optimise/scenarios/${of}`, { driver_ids: this.drivers, options: { max_seconds: 1 } }];
    }
    if (plan.jobs.length < 30)
      return ["POST", "/jobs", { uid: `${this.name}-${n}`, scenario_id: of, location: place }];
    return ["PATCH", `/jobs/${id}`, { external_comments: `${this.name} ${n}` }];
  }
}

/** One action of the driver of a run, of so many: starts first, then proofs and positions, ends last. */
export async function drive(
  n: number,
  of: number,
  sheet: { token: string; run: Tour },
  firm: Firm,
  roll: (sides: number) => number,
  tally: Tally,
): Promise<void> {
  if (n === 0) return call(sheet.token, tally, "PUT", "/v2/runsheet/start_route", { odometer: 100 });
  if (n === of - 1) return call(sheet.token, tally, "PUT", "/v2/runsheet/end_route", { odometer: 160 });
  if (roll(3) === 0) {
    const open = (await planOf(firm)).jobs.filter((job) => job.run_id === sheet.run.id && !job.visited);
    const job = open[roll(Math.max(open.length, 1))];
    if (job !== undefined && open.length > 1) {
      const body = { job_id: job.id, success: roll(4) > 0 };
      return call("", tally, "POST", `/runsheet/${sheet.run.token}/job_proofs`, body);
    }
  }
  const point = { lat: 41.14 + roll(60) / 1000, lon: -8.62, recorded_at: new Date().toISOString() };
  return call(sheet.token, tally, "POST", "/v2/runsheet/gps_points", [point]);
}

interface Shown {
  version: number;
  jobs: Job[];
  runs: Run[];
}

/** The plan as the server has it. */
export async function planOf(firm: Firm): Promise<Shown> {
  const { id } = firm.scenario;
  const { version } = await firm.admin.get<{ version: number }>(`/scenarios/${id}`);
  const [jobs, runs] = await Promise.all([
    firm.admin.get<List<Job>>(`/jobs?scenario_ids=${id}&per_page=300`),
    firm.admin.get<List<Run>>(`/runs?scenario_id=${id}&per_page=300`),
  ]);
  return { version, jobs: jobs.data, runs: runs.data };
}

/** A job as a screen must draw it: uid, run and position, time, and how its proof turned out. */
export function drawn({ jobs, runs }: Shown): string[] {
  const names = new Map(runs.map(({ id, uid }) => [id, uid]));
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/Lisbon",
    hour: "2-digit",
    minute: "2-digit",
  });
  return jobs
    .map((job) => {
      const place = job.run_id === null ? "Unserved" : `${names.get(job.run_id) ?? "?"} · ${job.seq}`;
      const time = job.proof_time ?? job.updated_eta ?? job.eta;
      const proof = job.proof_time === null ? "" : job.successful ? "success" : "error";
      return [job.uid, place, time === null ? "" : clock.format(new Date(time)), proof].join(" | ");
    })
    .sort();
}

/** What the list of jobs draws from its top to its end, in the same words. */
export function drawnOn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const list = document.querySelector('[role="list"][aria-label="Jobs"]');
    const scroller = list?.parentElement;
    if (!list || !scroller) return [];
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const found = new Map<string, string>();
    for (let top = 0; ; top += scroller.clientHeight / 2) {
      scroller.scrollTop = top;
      await frame();
      await frame();
      for (const row of Array.from(list.children)) {
        const uid = row.querySelector('input[type="checkbox"]')?.getAttribute("aria-label") ?? "";
        const place = row.querySelectorAll(".MuiTypography-caption")[1]?.textContent ?? "";
        const parts = Array.from(row.children, (part) => part.textContent);
        const time = parts.find((text) => /^\d\d:\d\d$/.test(text)) ?? "";
        const clock = Array.from(row.children).find((part) => part.textContent === time && time !== "");
        const icon = clock?.querySelector("svg")?.classList;
        const proof =
          icon === undefined ? "" : icon.contains("MuiSvgIcon-colorSuccess") ? "success" : "error";
        const text = [uid, /^(Unserved|.+? · \d+)/.exec(place)?.[1] ?? "", time, proof].join(" | ");
        // Two jobs may have the same uid; a row is known by where it stands.
        found.set((row as HTMLElement).style.top || getComputedStyle(row).top, text);
      }
      if (top + scroller.clientHeight >= scroller.scrollHeight) break;
    }
    return [...found.values()].sort();
  });
}

async function rowOf(page: Page, { uid }: Job): Promise<Locator> {
  await page.getByRole("textbox", { name: "Search jobs" }).fill(uid, { timeout: 3_000 });
  const list = page.getByRole("list", { name: "Jobs" });
  return list.getByRole("listitem").filter({ has: page.getByRole("checkbox", { name: uid, exact: true }) });
}

async function moveOnScreen(page: Page, job: Job, run: Run): Promise<void> {
  const row = await rowOf(page, job);
  await row.getByRole("checkbox").check({ timeout: 3_000 });
  await page.getByRole("button", { name: "Move to…" }).click({ timeout: 3_000 });
  const dialog = page.getByRole("dialog").last();
  await dialog.getByLabel("Run", { exact: true }).click({ timeout: 3_000 });
  await page.getByRole("option", { name: run.uid, exact: true }).click({ timeout: 3_000 });
  await dialog.getByRole("button", { name: "Move", exact: true }).click({ timeout: 3_000 });
  await dialog.waitFor({ state: "detached", timeout: 3_000 });
}

async function editOnScreen(page: Page, job: Job, text: string): Promise<void> {
  const row = await rowOf(page, job);
  await row.getByRole("button", { name: `Edit ${job.uid}`, exact: true }).click({ timeout: 3_000 });
  const dialog = page.getByRole("dialog", { name: "Edit job" });
  await dialog.getByLabel("Comments", { exact: true }).fill(text, { timeout: 3_000 });
  await dialog.locator('button[type="submit"]').click({ timeout: 3_000 });
  await dialog.waitFor({ state: "detached", timeout: 3_000 });
}

/** Presses what may be gone by then: others change the same page. */
async function press(button: Locator): Promise<void> {
  await button.click({ timeout: 1_000 }).catch(() => undefined);
}

/** Leaves what is open, and marks nothing. */
async function putDown(page: Page): Promise<void> {
  for (
    let n = 0;
    n < 6 && (await page.getByRole("dialog").count()) + (await page.getByRole("listbox").count()) > 0;
    n += 1
  ) {
    const discard = page.getByRole("button", { name: "Discard" });
    if (await discard.isVisible()) await press(discard);
    else await page.keyboard.press("Escape");
    await page.waitForTimeout(150);
  }
  const marked = page.locator(".MuiChip-deleteIcon").first();
  if (await marked.isVisible()) await press(marked);
  await page.getByRole("textbox", { name: "Search jobs" }).fill("");
}
