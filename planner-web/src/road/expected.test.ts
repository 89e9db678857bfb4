import type { Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { at, made, ms, run, stop } from "./test-day.ts";
import { type Expected, type Known, outlookOf } from "./expected.ts";
import { paceOf, restOf, spreadOf } from "./pace.ts";

const driving = run({ actual_start_time: at("08:00") });
const look = (stops: Job[], now: string, part: Partial<Known> = {}) =>
  outlookOf({ run: driving, stops, positionAt: null, stand: null, now: ms(now), driven: true, ...part });
const clock = (time: number | undefined): string =>
  time === undefined ? "–" : new Date(Math.round(time / 60_000) * 60_000).toISOString().slice(11, 16);
const whole = (found: Expected | undefined): string =>
  `${clock(found?.at)} (${clock(found?.from)}–${clock(found?.to)})`;

describe("expected times of the open stops (issue 13.3)", () => {
  it("are the plan's while it is kept, the range wider the further away", () => {
    const found = look([stop(1), stop(2), stop(3), stop(4)], "08:00");
    expect([1, 2, 3, 4].map((id) => whole(found?.stops.get(id)))).toEqual([
      "08:20 (08:10–08:30)",
      "08:50 (08:32–09:08)",
      "09:20 (08:55–09:45)",
      "09:50 (09:18–10:22)",
    ]);
  });

  it("follow the run's own pace: who took longer so far takes longer on", () => {
    const slow = [made(1, "08:45"), made(2, "09:30"), stop(3), stop(4)];
    const pace = paceOf(driving, slow);
    // 90 minutes for 60, with an hour and a half as planned mixed in.
    expect(pace.ratio).toBeCloseTo(180 / 150, 5);
    // The plan alone, carried on from the last proof, would say 09:50.
    const found = look(slow, "09:30");
    expect(clock(found?.stops.get(3)?.at)).toBe("09:54");
    expect(clock(found?.stops.get(4)?.at)).toBe("10:30");
    expect(found?.from.kind).toBe("proof");
  });

  it("stretch the server's way from the last place, and grow unsure with the age of that place", () => {
    const stops = [made(1, "08:30"), stop(2, { updated_eta: at("08:58") }), stop(3)];
    const fresh = look(stops, "08:48", { positionAt: ms("08:48") });
    const stale = look(stops, "08:58", { positionAt: ms("08:40") });
    expect(fresh?.from).toEqual({ kind: "position", at: ms("08:48") });
    expect(clock(fresh?.stops.get(2)?.at)).toBe("08:58");
    const width = (found: typeof fresh): number =>
      (found?.stops.get(3)?.to ?? 0) - (found?.stops.get(3)?.at ?? 0);
    expect(width(stale)).toBeGreaterThan(width(fresh));
  });

  it("are never in the past: who has not come by now comes any moment", () => {
    const found = look([stop(1), stop(2)], "09:00");
    expect(whole(found?.stops.get(1))).toMatch(/^09:01 \(09:00–/);
    expect(clock(found?.stops.get(2)?.at)).toBe("09:31");
  });

  it("wait for the window, behind which they are sure", () => {
    const stops = [stop(1, { arrive_after: "10:00" }), stop(2)];
    const found = look(stops, "08:00");
    expect(whole(found?.stops.get(1))).toBe("10:00 (10:00–10:00)");
    expect(whole(found?.stops.get(2))).toBe("10:30 (10:17–10:43)");
  });

  it("know the stop where the vehicle stands as reached, and the next ones from there", () => {
    const place = stop(1).location;
    const stand = { place, since: ms("08:21"), until: ms("08:50") };
    const found = look([stop(1), stop(2)], "08:50", { stand });
    expect(found?.atJobId).toBe(1);
    expect(clock(found?.stops.get(1)?.at)).toBe("08:21");
    // Ten minutes of service are over long ago: it leaves any moment.
    expect(clock(found?.stops.get(2)?.at)).toBe("09:11");
  });

  it("take no stop for visited that is passed before its turn", () => {
    const place = stop(2).location;
    const stops = [stop(1), stop(2, { arrive_after: "08:25" })];
    const at = (since: string, now: string) =>
      look(stops, now, { stand: { place, since: ms(since), until: ms(now) } })?.atJobId;
    expect(at("08:29", "08:30")).toBeNull();
    expect(at("08:20", "08:24")).toBeNull();
    expect(at("08:26", "08:30")).toBe(2);
  });

  it("move with a departure that is overdue, only where the day is driven, and with a delay", () => {
    const waiting = (part: Partial<Known>, stops = [stop(1)], of: Run = run()) =>
      clock(look(stops, "08:40", { run: of, ...part })?.stops.get(1)?.at);
    expect(waiting({})).toBe("09:00");
    expect(waiting({ driven: false })).toBe("08:20");
    expect(waiting({}, [stop(1, { updated_eta: at("09:20") })])).toBe("09:20");
    expect(look([stop(1)], "09:00", { run: run({ actual_end_time: at("09:00") }) })).toBeNull();
  });

  it("hold 8 of 10 times: a thousand made-up days that vary as was seen", () => {
    // A seeded generator of normal deviations, so that the day is the same every time.
    let seed = 7;
    const uniform = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    let inside = 0;
    for (let day = 0; day < 1000; day += 1) {
      const ratio = 1 + normal() * 0.12;
      const part = (): number => Math.max(5, 30 * ratio + normal() * Math.sqrt(2.5 * 30)) * 60_000;
      const [a, b, c] = [part(), part(), part()];
      const time = (after: number): string => new Date(ms("08:00") + after).toISOString();
      const stops = [
        made(1, "08:30", { proof_time: time(a) }),
        made(2, "09:00", { proof_time: time(a + b) }),
        stop(3),
      ];
      const outlook = outlookOf({
        run: driving,
        stops,
        positionAt: null,
        stand: null,
        now: ms("08:00") + a + b,
        driven: true,
      });
      const expected = outlook?.stops.get(3);
      // It is reached when two thirds of the part are over.
      const reached = ms("08:00") + a + b + c * (2 / 3);
      if (expected !== undefined && reached >= expected.from && reached <= expected.to) inside += 1;
    }
    expect(inside / 1000).toBeGreaterThan(0.75);
    expect(inside / 1000).toBeLessThan(0.9);
  });

  it("issue 13.5: of work that goes on, the end moves with every minute that it takes longer, and is less and less unsure", () => {
    const pace = { ratio: 1, variance: 1, seen: 600 };
    // What has hardly begun takes as long as planned; what is over by far ends any moment.
    expect(restOf(10, -60, pace)).toEqual({ ends: 10, work: 10 });
    expect(restOf(10, 60, pace).ends - 60).toBeLessThan(0.3);
    let before = restOf(10, 0, pace);
    for (let gone = 1; gone <= 30; gone += 1) {
      const rest = restOf(10, gone, pace);
      expect(rest.ends).toBeGreaterThan(Math.max(gone, before.ends));
      expect(rest.work).toBeLessThan(before.work);
      before = rest;
    }
    // Half of what is normally distributed ends later than planned, 0.798 deviations later in the mean.
    expect(restOf(9, 9, pace).ends).toBeCloseTo(9 + 3 * 0.7979, 3);
  });

  it("issue 13.5: what stood there before the last proof was of the stop before", () => {
    const place = stop(2).location;
    const stand = { place, since: ms("08:21"), until: ms("08:32") };
    const found = look([made(1, "08:31"), stop(2)], "08:32", { stand });
    expect(clock(found?.stops.get(2)?.at)).toBe("08:31");
  });

  it("spread with the root of the time, and more while little was seen of the pace", () => {
    const pace = { ratio: 1, variance: 1, seen: 60 };
    expect(spreadOf(pace, 0)).toBe(0);
    expect(spreadOf(pace, 60)).toBeCloseTo(1.2816 * Math.sqrt(120), 5);
    expect(spreadOf({ ...pace, seen: 600 }, 60)).toBeLessThan(spreadOf(pace, 60));
  });
});
