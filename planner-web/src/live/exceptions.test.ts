import polyline from "@mapbox/polyline";
import type { GpsPoint, Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import type { RunContact } from "../contact/contact.ts";
import { problemsOf } from "../plan/problems.ts";
import { tracksOf } from "../road/positions.ts";
import { NO_ROAD, roadOf } from "../road/road.ts";
import { at, made, ms, run as runOf, stop } from "../road/test-day.ts";
import { exceptionsOf } from "./exceptions.ts";
import type { Exception, ExceptionKind } from "./model.ts";

interface Given {
  run?: Run;
  jobs: Job[];
  /** `null`: another day than today. */
  now: string | null;
  track?: GpsPoint[];
  contact?: Partial<RunContact>;
  tracked?: boolean;
  before?: Exception[];
}

function look({ run = runOf(), jobs, now, track = [], contact, tracked = false, before = [] }: Given) {
  const plan = { jobs, runs: [run] };
  const problems = problemsOf(plan, { mode: "sum", zeroIsUnlimited: true, zone: "UTC" });
  const road = now === null ? NO_ROAD : roadOf(plan, tracksOf(track), ms(now), tracked);
  const known = {
    run_id: 1,
    last_at: at("08:00"),
    waiting: 0,
    unconfirmed: [],
    changed_at: null,
    confirmed_at: null,
  };
  const contacts = new Map(contact === undefined ? [] : [[1, { ...known, ...contact }]]);
  const day = { plan, problems, road, contacts, terms: { zone: "UTC", unit: "km" } as const };
  return exceptionsOf(day, new Set(before.map(({ key }) => key)));
}

const words = (found: Exception[]): string[] =>
  found.map(({ kind, jobId, text }) => `${kind} ${jobId}: ${text}`);
const only = (kind: ExceptionKind, given: Given): string[] =>
  look(given).flatMap((found) => (found.kind === kind ? found.text : []));
const clock = (time: number | null | undefined): string | null =>
  time == null ? null : new Date(time).toISOString().slice(11, 16);

/** A position of the run; kilometres north and east of where the line of stops begins. */
const point = (time: string, north: number, east = 0): GpsPoint =>
  ({
    run_id: 1,
    recorded_at: at(time),
    lat: 41 + north * 0.009,
    lon: -8 + (east * 0.009) / Math.cos((41 * Math.PI) / 180),
  }) as GpsPoint;
/** One each minute. */
const stands = (from: string, to: string, north: number, east = 0): GpsPoint[] => {
  const points: GpsPoint[] = [];
  for (let time = ms(from); time <= ms(to); time += 60_000) {
    points.push(point(new Date(time).toISOString().slice(11, 16), north, east));
  }
  return points;
};
const started = (part: Partial<Run> = {}): Run => runOf({ actual_start_time: at("08:00"), ...part });
/** The phone says something all the time. */
const heard = (time: string): Partial<RunContact> => ({ last_at: at(time) });

describe("exceptions of a plan that nobody drives yet (W-108)", () => {
  it("are what is late by it, by the promise that breaks first, then failed visits, the newest first, then the rest", () => {
    const jobs = [
      stop(1, { leave_by: "10:00", updated_eta: at("11:05") }),
      stop(2, { leave_by: "08:30", eta: at("09:00") }),
      stop(3, { visited: true, proof_time: at("09:40") }),
      stop(4, { visited: true, proof_time: at("10:20") }),
      made(5, "10:30"),
      stop(6, { run_id: null, seq: null, eta: null }),
    ];
    expect(words(look({ jobs, now: null }))).toEqual([
      "late 2: 09:00, 30 min after 08:30",
      "late 1: 11:05, 1 h 05 min after 10:00",
      "failed 4: visited without success",
      "failed 3: visited without success",
      "problem 6: Unserved: is on no run",
    ]);
  });

  it("tell today of a stop that nobody has been at when its window closed", () => {
    const given = { run: runOf({ dispatched: false }) };
    const open = stop(1, { leave_by: "10:00" });
    expect(words(look({ ...given, jobs: [open], now: "09:59" }))).toEqual([]);
    expect(words(look({ ...given, jobs: [open], now: "10:20" }))).toEqual([
      "late 1: still open, 20 min after 10:00",
    ]);
    expect(words(look({ ...given, jobs: [made(1, "08:30", { leave_by: "10:00" })], now: "10:20" }))).toEqual(
      [],
    );
    // On another day the estimate alone is told.
    expect(words(look({ ...given, jobs: [open], now: null }))).toEqual([]);
  });
});

describe("exceptions of a day that is driven (issue 13.3)", () => {
  it("late: by the run's own pace, before the plan or the server knows, with the minutes to the promise", () => {
    // Two stops that took 45 minutes each instead of 30: the fourth comes 35 minutes behind its plan.
    const jobs = [made(1, "08:45"), made(2, "09:30"), stop(3), stop(4, { leave_by: "10:20" })];
    const [found, ...more] = look({ run: started(), jobs, now: "09:30" });
    expect(more).toEqual([]);
    expect(found?.text).toMatch(/^expected 10:3\d \(10:\d\d–10:\d\d\), \d+ min after 10:20$/);
    expect(clock(found?.breaksAt)).toBe("10:20");
    // At the planned pace it would be there in time.
    const kept = [made(1, "08:30"), made(2, "09:00"), stop(3), stop(4, { leave_by: "10:20" })];
    expect(words(look({ run: started(), jobs: kept, now: "09:05", contact: heard("09:00") }))).toEqual([]);
  });

  it("late: an estimate that wobbles around the window's end is told once, not again and again", () => {
    const estimates = [
      "09:03",
      "09:09",
      "08:59",
      "09:01",
      "08:54",
      "09:02",
      "08:40",
      "08:58",
      "09:03",
      "09:09",
    ];
    let before: Exception[] = [];
    const told = estimates.map((eta) => {
      const jobs = [stop(1, { leave_by: "09:00", updated_eta: at(eta) })];
      before = look({ run: started(), jobs, now: "08:05", track: [point("08:00", 0)], before }).filter(
        ({ kind }) => kind === "late",
      );
      return before.length;
    });
    expect(told).toEqual([0, 1, 1, 1, 1, 1, 0, 0, 0, 1]);
  });

  it("late: not where the vehicle came in time and still stands", () => {
    const jobs = [stop(1, { leave_by: "08:30" }), stop(2)];
    const late = (track: GpsPoint[]): string[] => only("late", { run: started(), jobs, now: "08:35", track });
    expect(late(stands("08:25", "08:35", 1))).toEqual([]);
    expect(late(stands("08:25", "08:35", 0.5))).not.toEqual([]);
  });

  it("no start: ten minutes after the departure, sent or not, until it starts or a proof comes", () => {
    const jobs = [stop(1, { leave_by: "11:00" }), stop(2)];
    const told = (now: string, run = runOf(), of = jobs): string[] =>
      only("no_start", { run, jobs: of, now });
    expect(told("08:10")).toEqual([]);
    expect(told("08:11")).toEqual(["should have left at 08:00, and has not started"]);
    const unsent = runOf({ dispatched: false });
    expect(told("08:11", unsent)).toEqual([]);
    expect(only("no_start", { run: unsent, jobs, now: "08:11", tracked: true })).toEqual([
      "should have left at 08:00, and was not sent to the driver",
    ]);
    expect(told("08:11", started())).toEqual([]);
    expect(told("08:40", runOf(), [made(1, "08:30"), stop(2)])).toEqual([]);
    // A run that was delayed should leave later.
    const delayed = jobs.map((job, index) => (index > 0 ? job : { ...job, updated_eta: at("08:50") }));
    expect(told("08:40", runOf(), delayed)).toEqual([]);
    expect(told("08:41", runOf(), delayed)).toHaveLength(1);
    const [first] = look({ jobs, now: "08:11" });
    expect(clock(first?.breaksAt)).toBe("11:00");
    expect(clock(look({ jobs: [stop(1)], now: "08:11" })[0]?.breaksAt)).toBe("08:00");
  });

  it("silent: when phone, positions and proofs all say nothing; each of them ends it", () => {
    const jobs = [stop(1), stop(2)];
    const told = (part: Partial<Given>): string[] =>
      only("silent", { run: started(), jobs, now: "08:20", ...part });
    expect(told({ now: "08:15" })).toEqual([]);
    expect(told({})).toEqual(["nothing heard for 20 min, last at 08:00"]);
    expect(told({ contact: heard("08:06") })).toEqual([]);
    expect(told({ track: [point("08:06", 0.5)] })).toEqual([]);
    expect(told({ jobs: [made(1, "08:06"), stop(2)] })).toEqual([]);
    // Before the start and after the end nobody has to say anything, nor when all is done.
    expect(told({ run: runOf() })).toEqual([]);
    expect(told({ run: started({ actual_end_time: at("08:04") }), jobs: [made(1, "08:04")] })).toEqual([]);
    expect(told({ jobs: [made(1, "08:01")] })).toEqual([]);
  });

  it("long stop: beyond service, waiting and break at a stop, beyond the bound elsewhere; a proof ends it", () => {
    const jobs = [stop(1), stop(2)];
    const told = (track: GpsPoint[], now: string, part: Partial<Given> = {}): string[] =>
      only("long_stop", { run: started(), jobs, now, track, ...part });
    expect(told(stands("08:20", "08:45", 1), "08:45")).toEqual([]);
    expect(told(stands("08:20", "08:46", 1), "08:46")).toEqual([
      "stands at this stop for 26 min, 10 min planned",
    ]);
    expect(told(stands("08:20", "08:35", 1.5), "08:35")).toEqual([]);
    expect(told(stands("08:20", "08:36", 1.5), "08:36")).toEqual([
      "stands for 16 min away from its open stops",
    ]);
    // It drives on, or a proof came.
    expect(told([...stands("08:20", "08:46", 1), point("08:47", 1.4), point("08:48", 1.8)], "08:48")).toEqual(
      [],
    );
    const proof = { jobs: [made(1, "08:40"), stop(2)] };
    expect(told(stands("08:20", "08:50", 1), "08:50", proof)).toEqual([]);
    // It waits for the window, or has its break.
    const early = { jobs: [stop(1, { arrive_after: "09:00" })] };
    expect(told(stands("08:20", "09:25", 1), "09:25", early)).toEqual([]);
    expect(told(stands("08:20", "09:26", 1), "09:26", early)).toHaveLength(1);
    const lunch = { run: started({ lunch_duration: 30, lunch_time: "08:15", lunch_latest_start: "09:00" }) };
    expect(told(stands("08:20", "09:05", 1.5), "09:05", lunch)).toEqual([]);
    expect(told(stands("08:20", "09:06", 1.5), "09:06", lunch)).toHaveLength(1);
    // How long it stood after the last position nobody knows.
    expect(told(stands("08:20", "08:30", 1), "09:30")).toEqual([]);
    expect(told(stands("08:20", "08:40", 1.5), "09:30")).toEqual([
      "stood for 20 min away from its open stops when last seen at 08:40",
    ]);
  });

  it("long stop: a device that wobbles by a hundred metres neither hides nor repeats it", () => {
    const wobble = stands("08:20", "09:00", 1.5).map((each, index) => ({
      ...each,
      lat: each.lat + ((index * 7) % 10) * 0.0001 - 0.00045,
    }));
    const told = wobble.map((_, index) => {
      const time = wobble[index]?.recorded_at.slice(11, 16) ?? "";
      return only("long_stop", {
        run: started(),
        jobs: [stop(1), stop(2)],
        now: time,
        track: wobble.slice(0, index + 1),
      }).length;
    });
    expect(told).toEqual(told.map((_, minute) => (minute > 15 ? 1 : 0)));
  });

  it("off plan: a later stop was served first, until the earlier one is", () => {
    const told = (jobs: Job[]): string[] =>
      only("off_plan", { run: started(), jobs, now: "08:30", contact: heard("08:30") });
    expect(told([made(1, "08:28"), stop(2), stop(3)])).toEqual([]);
    expect(told([stop(1), made(2, "08:28"), stop(3)])).toEqual(["J2 was served before J1"]);
    expect(told([made(1, "08:29"), made(2, "08:28"), stop(3)])).toEqual([]);
  });

  it("off plan: two positions far from the way, until it is clearly back", () => {
    const jobs = [stop(1), stop(2), stop(3)];
    const geometry = polyline.encode(jobs.map(({ location }) => [location.lat, location.lon]));
    const run = started({ route: { legs: [{ geometry }] } as unknown as Run["route"] });
    const far = (...metres: number[]): GpsPoint[] =>
      metres.map((east, n) => point(`08:${10 + n}`, 1, east / 1000));
    let before: Exception[] = [];
    const told = (track: GpsPoint[], now: string): number => {
      before = look({ run, jobs, now, track, contact: heard("08:00"), before }).filter(
        ({ kind }) => kind === "off_plan",
      );
      return before.length;
    };
    expect(told(far(0, 2500), "08:11")).toBe(0);
    expect(told(far(0, 2500, 2600), "08:12")).toBe(1);
    expect(before[0]?.text).toMatch(/^2\.\d\d? km off the planned way$/);
    expect(told(far(0, 2500, 2600, 1900), "08:13")).toBe(1);
    expect(told(far(0, 2500, 2600, 1900, 1100), "08:14")).toBe(0);
    expect(told(far(0, 2500, 2600, 1900, 1100, 1900), "08:15")).toBe(0);
    // What is old says nothing of where it is.
    expect(told(far(0, 2500, 2600), "08:30")).toBe(0);
  });

  it("failed: since the visit, until a later visit succeeds", () => {
    const failed = made(1, "08:30", { successful: false });
    const [found] = look({ run: started(), jobs: [failed, stop(2)], now: "08:40", contact: heard("08:40") });
    expect(words([found as Exception])).toEqual(["failed 1: visited without success"]);
    expect(clock(found?.breaksAt)).toBe("08:30");
    expect(only("failed", { run: started(), jobs: [made(1, "08:30"), stop(2)], now: "08:40" })).toEqual([]);
  });

  it("no proof: the run has ended, or the vehicle was there and is gone; who only passes has not been there", () => {
    const jobs = [stop(1), stop(2)];
    const ended = {
      run: started({ actual_end_time: at("09:00") }),
      jobs: [made(1, "08:30"), stop(2)],
      now: "09:05",
    };
    expect(words(look(ended))).toEqual(["missing_proof 2: the run ended at 09:00 without a proof"]);
    const waiting = look({ ...ended, contact: { waiting: 2 } });
    expect(waiting[0]?.text).toContain("2 proofs waiting on the phone");
    expect(waiting[0]?.severity).toBe("warning");
    const told = (track: GpsPoint[], now: string, of = jobs): string[] =>
      only("missing_proof", { run: started(), jobs: of, now, track });
    const there = stands("08:20", "08:28", 1);
    expect(told(there, "08:28")).toEqual([]);
    const gone = [...there, point("08:29", 1.3), point("08:30", 1.6)];
    expect(told(gone, "08:30")).toEqual(["left at 08:28 without a proof"]);
    expect(told(gone, "08:31", [made(1, "08:31"), stop(2)])).toEqual([]);
    expect(told([...gone, ...stands("08:32", "08:34", 1)], "08:34")).toEqual([]);
    const passing = [point("08:20", 0.5), point("08:21", 1), point("08:22", 1.5), point("08:23", 1.9)];
    expect(told(passing, "08:23")).toEqual([]);
    // Then it is no matter of order.
    expect(
      only("off_plan", { run: started(), jobs: [stop(1), made(2, "08:50")], now: "08:50", track: gone }),
    ).toEqual([]);
  });

  it("not confirmed: while the driver has not said that he knows the change", () => {
    const change = {
      job_id: 2,
      uid: "J2",
      name: "J2",
      seq: 2,
      eta: null,
      eta_before: null,
      kind: "added",
    } as const;
    const jobs = [stop(1, { leave_by: "12:00" }), stop(2, { leave_by: "13:00" })];
    const given = { run: started(), jobs, now: "08:05" };
    const [found] = look({ ...given, contact: { unconfirmed: [change] } });
    expect(found?.text).toBe("Change not confirmed: 1 added");
    expect(clock(found?.breaksAt)).toBe("13:00");
    const [since] = look({ ...given, contact: { unconfirmed: [change], changed_at: at("08:04") } });
    expect(since?.text).toBe("Change of 08:04 not confirmed: 1 added");
    expect(only("unconfirmed", { ...given, contact: {} })).toEqual([]);
  });

  it("come by the promise that breaks first; a run as a whole by the first window it has", () => {
    const jobs = [
      stop(1, { leave_by: "08:25" }),
      stop(2, { leave_by: "08:40" }),
      made(3, "08:00", { successful: false }),
    ];
    const kinds = look({ run: runOf(), jobs: jobs.slice(0, 2), now: "08:30" }).map(
      ({ kind, breaksAt }) => `${kind} ${clock(breaksAt)}`,
    );
    expect(kinds).toEqual(["late 08:25", "no_start 08:25", "late 08:40"]);
    const all = look({ run: started(), jobs, now: "08:30" }).map(({ kind }) => kind);
    expect(all.at(-1)).toBe("failed");
  });
});
