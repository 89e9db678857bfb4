import type { Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { piecesOf, spentOf } from "./pieces.ts";

const moment = (time: string): string => `2026-07-01T${time}:00Z`;
const stop = (id: number, eta: string, etd: string): Job =>
  ({ id, eta: moment(eta), etd: moment(etd), duration: 10 }) as Job;
const leg = (to: number | null, minutes: number) => ({ to_job_id: to, duration: minutes * 60 });

function run(part: Partial<Run>): Run {
  return {
    planned_start_time: moment("08:00"),
    planned_end_time: moment("13:30"),
    lunch_duration: 0,
    lunch_time: null,
    lunch_latest_start: null,
    route: { legs: [leg(1, 30), leg(2, 20), leg(null, 30)] },
    ...part,
  } as Run;
}

/** `driving 08:00-08:30`. */
function told(pieces: ReturnType<typeof piecesOf>): string[] {
  const time = (at: number): string => new Date(at).toISOString().slice(11, 16);
  return pieces.map(({ kind, from, to }) => `${kind} ${time(from)}-${time(to)}`);
}

describe("W-014 what a run does between its stops", () => {
  const stops = [stop(1, "09:00", "09:10"), stop(2, "12:45", "13:00")];

  it("drives as long as the roads say and waits the rest", () => {
    expect(told(piecesOf(run({}), stops, "UTC"))).toEqual([
      "driving 08:00-08:30",
      "waiting 08:30-09:00",
      "driving 09:10-09:30",
      "waiting 09:30-12:45",
      "driving 13:00-13:30",
    ]);
  });

  it("takes the break within its times, in the zone of the organisation", () => {
    const lunch = { lunch_duration: 45, lunch_time: "12:00", lunch_latest_start: "13:00" };
    expect(told(piecesOf(run(lunch), stops, "UTC"))).toEqual([
      "driving 08:00-08:30",
      "waiting 08:30-09:00",
      "driving 09:10-09:30",
      "waiting 09:30-12:00",
      "break 12:00-12:45",
      "driving 13:00-13:30",
    ]);
    expect(told(piecesOf(run(lunch), stops, "Europe/Lisbon"))).toContain("break 11:00-11:45");
  });

  it("tells driving, service, waiting and the break of a run apart, in seconds", () => {
    const lunch = run({ lunch_duration: 45, lunch_time: "12:00", lunch_latest_start: "13:00" });
    const minutes = { driving: 80, service: 25, waiting: 180, break: 45 };
    expect(spentOf(lunch, stops, "UTC")).toEqual(
      Object.fromEntries(Object.entries(minutes).map(([kind, time]) => [kind, time * 60])),
    );
    expect(spentOf(run({ planned_start_time: null }), stops, "UTC")).toBeNull();
  });

  it("tells nothing of a run without times, and drives all the time where the roads are not known", () => {
    expect(piecesOf(run({ planned_start_time: null }), stops, "UTC")).toEqual([]);
    expect(told(piecesOf(run({ route: null }), stops, "UTC"))[0]).toBe("driving 08:00-09:00");
  });
});
