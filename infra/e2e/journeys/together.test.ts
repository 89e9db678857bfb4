import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Colleague, dice, drawn, drawnOn, drive, nothing, planOf, type Tally } from "./colleagues.ts";
import { type Firm, found, type Tour } from "./firm.ts";
import { Api, launch, open, signIn, type Watched } from "./product.ts";
import { lay, type Wire } from "./wire.ts";

/** Actions of each planner, and of the driver. */
const PLANNED = 80;
const DRIVEN = 40;
/** Every so many-th action of a planner is made on the screen. */
const ON_SCREEN = 20;
/** Sockets that must have been cut. */
const CUTS = 21;
/** For a machine that has other work; alone it takes a fraction of it. */
const PATIENCE = 240_000;
/** How long screens may take to show the last change: their bar is a second, and drawing on a busy machine. */
const SETTLE = 4_000;

interface Seat {
  token: string;
  wire: Wire;
  planner: Watched;
}

/** W-001, S-45: two planners and a driver work on the same day at the same time, and see the same plan. */
describe("together", () => {
  let browser: Browser;
  let firm: Firm;
  let drivers: number[] = [];
  const seats: Seat[] = [];

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Together");
    await firm.admin.call("PATCH", "/organisations/settings", { optimisation: { max_seconds: 1 } });
    drivers = (await firm.admin.get<{ data: { id: number }[] }>("/drivers")).data.map(({ id }) => id);
    const { data: roles } = await firm.admin.get<{ data: { id: number; name: string }[] }>("/roles");
    const email = firm.email.replace("admin-", "planner-");
    await firm.admin.call("POST", "/users", {
      email,
      password: firm.secret,
      first_name: "Rui",
      last_name: "Faria",
      role_id: roles.find(({ name }) => name === "user")?.id,
    });
    // Whoever has no run gets one, and half of the stops.
    const taken = (
      await firm.admin.get<{ data: (Tour & { driver_id: number })[] }>(
        `/runs?scenario_id=${firm.scenario.id}`,
      )
    ).data;
    for (const driver_id of drivers.filter((id) => !taken.some((run) => run.driver_id === id))) {
      const body = { scenario_id: firm.scenario.id, driver_id };
      const run = await firm.admin.call<Tour>("POST", "/runs", body);
      const job_ids = firm.jobs.slice(0, 4).map(({ id }) => id);
      await firm.admin.call("PUT", `/runs/move_job_to_new/${run.id}`, { job_ids });
      firm.runs.push(run);
    }
    for (const who of [firm.email, email]) {
      const wire = await lay();
      const planner = await open(browser, undefined, wire.url);
      await signIn(planner.page, who, firm.secret);
      seats.push({ token: (await Api.as(who, firm.secret)).token, wire, planner });
    }
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all(seats.map(({ wire }) => wire.close()));
  });

  const show = async (page: Page): Promise<void> => {
    await page.goto(`/?active_scenario=${firm.scenario.id}`);
    await page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  };

  /** Two hundred actions, all three at the same time. */
  const work = async (seed: number, run: Tour, after: (n: number) => void): Promise<Tally[]> => {
    const body = { token_uid: run.token };
    const answer = await firm.admin.call<{ runsheet_token: string }>("POST", "/auth/runsheet_token", body);
    const colleagues = seats.map(
      ({ token: session, planner }, n) =>
        new Colleague(firm, ["A", "R"][n] ?? "", session, planner.page, drivers, dice(seed + n)),
    );
    const road = nothing();
    let count = 0;
    const plans = colleagues.map(async (colleague) => {
      for (let n = 0; n < PLANNED; n += 1) {
        await colleague.act(n, n % ON_SCREEN === ON_SCREEN - 1);
        after((count += 1));
      }
    });
    const drives = async (): Promise<void> => {
      const roll = dice(seed + 9);
      for (let n = 0; n < DRIVEN; n += 1) {
        await drive(n, DRIVEN, { token: answer.runsheet_token, run }, firm, roll, road);
        after((count += 1));
      }
    };
    await Promise.all([...plans, drives()]);
    return [...colleagues.map(({ tally }) => tally), road];
  };

  /** Both screens draw what the server holds. */
  const agree = async (): Promise<void> => {
    const stored = drawn(await planOf(firm));
    expect(stored.length).toBeGreaterThan(5);
    for (const { planner } of seats) {
      await expect.poll(() => drawnOn(planner.page), { timeout: SETTLE, interval: 50 }).toEqual(stored);
    }
  };

  const counted = (tallies: readonly Tally[]): void => {
    const sum = (value: (tally: Tally) => number): number =>
      tallies.reduce((all, one) => all + value(one), 0);
    const [done, drawnBy] = [sum((tally) => tally.done), sum((tally) => tally.drawn)];
    const conflicts = sum((tally) => tally.conflicts.length);
    const actions = (tallies.length / (seats.length + 1)) * (2 * PLANNED + DRIVEN);
    expect(done + drawnBy + conflicts + sum((tally) => tally.late)).toBe(actions);
    expect(done).toBeGreaterThan(90);
    expect(drawnBy).toBeGreaterThan(2);
    expect(conflicts).toBeGreaterThan(0);
  };

  it(
    "after 200 actions of three people both screens show what the server holds",
    { timeout: PATIENCE },
    async () => {
      for (const { planner } of seats) await show(planner.page);
      const [run] = firm.runs;
      if (run === undefined) throw new Error("nobody drives");
      counted(await work(20_261, run, () => undefined));
      await agree();
      expect(seats.map(({ planner }) => planner.faults)).toEqual([[], []]);
    },
  );

  it("and just so when every second action cuts the sockets of a screen", { timeout: PATIENCE }, async () => {
    for (const { planner } of seats) await show(planner.page);
    const run = firm.runs[1];
    if (run === undefined) throw new Error("nobody drives");
    let cuts = 0;
    // A screen takes its time to come back, and only then can be cut again: where actions are quick it needs more of them.
    const tallies: Tally[] = [];
    for (let seed = 40_262; cuts < CUTS; seed += 1) {
      const round = await work(seed, run, (n) => {
        if (n % 2 === 0) cuts += seats[(n / 2) % 2]?.wire.cut() ?? 0;
      });
      tallies.push(...round);
    }
    counted(tallies);
    await agree();
    for (const { planner } of seats) {
      // The browser says of a cut socket that it is cut.
      expect(planner.faults.filter((fault) => !fault.includes("WebSocket"))).toEqual([]);
    }
  });
});
