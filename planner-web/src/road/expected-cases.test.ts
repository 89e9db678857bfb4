import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { env } from "node:process";
import type { GpsPoint, Job, Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { outlookOf } from "./expected.ts";
import { standOf } from "./stand.ts";
import { run as runOf, stop as stopOf } from "./test-day.ts";

/** Days on the road, and when each open stop is expected: job, at, from, to. The server is held against them as well. */
interface Case {
  name: string;
  now: string;
  run: Partial<Run> & { scheduled_date: string };
  stops: (Partial<Job> & { id: number; lat: number; lon: number })[];
  track: [number, number, string][];
  expected: [number, string, string, string][];
}

const FILE = path.join(import.meta.dirname, "expected-cases.json");
const cases = JSON.parse(readFileSync(FILE, "utf8")) as Case[];

function expectedOf({ now, run: given, stops, track }: Case): Case["expected"] {
  const { scheduled_date: day, ...part } = given;
  const run = { ...runOf(part), scenario: { scheduled_date: day } } as Run;
  const points = track.map(([lat, lon, at]) => ({ lat, lon, recorded_at: at }) as GpsPoint);
  const moment = Date.parse(now);
  const newest = points.at(-1);
  const outlook = outlookOf({
    run,
    stops: stops.map(({ lat, lon, ...job }) =>
      stopOf(job.id, {
        ...job,
        location: { address: "", lat, lon },
        visited: job.proof_time !== null,
      }),
    ),
    positionAt: newest === undefined ? null : Date.parse(newest.recorded_at),
    stand: standOf(points, moment),
    now: moment,
    driven: true,
  });
  const text = (time: number): string => new Date(Math.round(time)).toISOString();
  return [...(outlook?.stops ?? [])]
    .map(([id, { at, from, to }]): Case["expected"][number] => [id, text(at), text(from), text(to)])
    .sort(([a], [b]) => a - b);
}

describe("issue 13.3: the office sees what customers are told", () => {
  if (env.UPDATE === "1") {
    const found = cases.map((one) => ({ ...one, expected: expectedOf(one) }));
    writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);
  }
  it.each(cases.map((one) => [one.name, one] as const))("%s", (_, one) => {
    if (env.UPDATE !== "1") expect(expectedOf(one)).toEqual(one.expected);
  });
});
