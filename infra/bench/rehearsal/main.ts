import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { GpsPoint, Job, Run } from "@routewright/web";
import type { RunContact } from "../../../planner-web/src/contact/contact.ts";
import { Client, signUp } from "./client.ts";
import { type Answers, happened, look, type Look } from "./look.ts";
import { type Day, measure, share, type Share } from "./measure.ts";

/** Simulated milliseconds between two looks. */
const EACH = 60_000;
const SPEED = Number(process.env["SPEED"] ?? "60");

interface Rehearsal {
  organisation_id: number;
  state: string;
  step: string | null;
  failure: string | null;
  now: string;
}

interface Page<T> {
  data: T[];
}

const seeds = (process.env["SEEDS"] ?? "1 2 3 4").split(/\s+/).map(Number);
const until = process.env["UNTIL"] ?? "18:30";

/** Rehearses a day and looks at it to its end. Answers what was told, moment by moment. */
async function rehearse(seed: number): Promise<Answers[]> {
  const home = await signUp(`seed-${seed}`);
  const made = await home.call<Rehearsal>("POST", "/rehearsal", { seed, speed: SPEED });
  let inside = await enter(home, made.organisation_id);
  for (;;) {
    const { rehearsal } = await home.get<{ rehearsal: Rehearsal }>("/rehearsal");
    if (rehearsal.state === "failed") throw new Error(`seed ${seed}: ${rehearsal.failure}`);
    if (rehearsal.state === "running") break;
    await pause(500);
  }
  const scenario = (await inside.get<Page<{ id: number }>>("/scenarios")).data[0]?.id ?? 0;
  const entered = Date.now();
  const told: Answers[] = [];
  let points: GpsPoint[] = [];
  for (;;) {
    const began = Date.now();
    // A token lives for half an hour.
    if (began - entered > 20 * 60_000) inside = await enter(home, made.organisation_id);
    const newest = points.reduce((most, { id }) => Math.max(most, id ?? 0), 0);
    const since = newest === 0 ? "" : `&since=${newest}`;
    const [{ rehearsal }, runs, jobs, contacts, more] = await Promise.all([
      inside.get<{ rehearsal: Rehearsal }>("/rehearsal"),
      inside.get<Page<Run>>(`/runs?scenario_id=${scenario}&per_page=300`),
      inside.get<Page<Job>>(`/jobs?scenario_ids=${scenario}&per_page=300`),
      inside.get<RunContact[]>(`/scenarios/${scenario}/contacts`),
      inside.get<GpsPoint[]>(`/scenario/${scenario}/gps_points?latest_only=false${since}`),
    ]);
    points = [...points, ...more];
    const now = Date.parse(rehearsal.now);
    told.push({ now, zone: "Europe/Lisbon", jobs: jobs.data, runs: runs.data, contacts, points: more });
    const driven = runs.data.filter((run) => run.actual_start_time !== null);
    const ended = driven.length > 0 && driven.every((run) => run.actual_end_time !== null);
    if ((ended && clock(now) > "12:00") || clock(now) >= until || rehearsal.state === "over") break;
    await pause(Math.max(0, EACH / SPEED - (Date.now() - began)));
  }
  await home.call("DELETE", "/rehearsal");
  return told;
}

async function enter(home: Client, organisation: number): Promise<Client> {
  const entered = await home.call<{ token: string; organisation: { id: number } }>(
    "POST",
    "/auth/rehearsal_token",
  );
  if (entered.organisation.id !== organisation) throw new Error("another rehearsal");
  return new Client(entered.token);
}

function clock(now: number): string {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Europe/Lisbon" }).format(now);
}

/** What the office saw of a day, with the code of its screens, and what happened. */
function seen(seed: number, told: readonly Answers[]): Day {
  const looks: Look[] = [];
  let points: GpsPoint[] = [];
  for (const answers of told) {
    points = [...points, ...answers.points];
    const before = looks.at(-1)?.told ?? new Set<string>();
    looks.push(look({ ...answers, points }, before));
  }
  const last = told.at(-1);
  return { seed, looks, stops: last === undefined ? [] : happened({ ...last, points }) };
}

function percent(part: Share): string {
  return part.of === 0 ? "–" : `${(100 * share(part)).toFixed(1)} %`;
}

/** A row of the table: what, found, bar, whether it is met. */
type Line = [string, string, string, boolean];

function table(days: readonly Day[]): boolean {
  const found = measure(days);
  const [precision, recall, coverage, flapping] = [
    found.precision,
    found.recall,
    found.coverage,
    found.flapping,
  ].map(share) as [number, number, number, number];
  const lines: Line[] = [
    [
      `at risk 30 min ahead: precision (${found.precision.hits} of ${found.precision.of})`,
      percent(found.precision),
      ">= 70 %",
      precision >= 0.7,
    ],
    [
      `at risk 30 min ahead: recall (${found.recall.hits} of ${found.recall.of})`,
      percent(found.recall),
      ">= 70 %",
      recall >= 0.7,
    ],
    [
      `range holds (${found.coverage.of} looks at open stops)`,
      percent(found.coverage),
      "80 ± 5 %",
      coverage >= 0.75 && coverage <= 0.85,
    ],
    ...found.byLead.map(({ name, share: part, width }): Line => {
      return [`  ${name}, ${width.toFixed(0)} min wide`, percent(part), "", true];
    }),
    // A machine that does not keep up shows the office what was, and nothing above is worth anything.
    [
      "the machine keeps up: age of positions, median",
      `${found.age.toFixed(1)} min`,
      "<= 2 min",
      found.age <= 2,
    ],
    [`expected time off, median`, `${found.error.toFixed(1)} min`, "", true],
    [
      `stops with a window whose state flaps (${found.flapping.hits} of ${found.flapping.of})`,
      percent(found.flapping),
      "<= 2 %",
      flapping <= 0.02,
    ],
    [`changes of state per stop with a window`, found.changes.toFixed(2), "<= 0.5", found.changes <= 0.5],
  ];
  const kinds = [...new Set(days.flatMap(({ looks }) => looks.flatMap((one) => [...one.kinds])))].sort();
  const visited = days.reduce((sum, { stops }) => sum + stops.length, 0);
  console.log(
    `${days.length} days (seeds ${days.map(({ seed }) => seed).join(", ")}), ${visited} stops made`,
  );
  console.log(`told in Live: ${kinds.join(", ")}\n`);
  for (const [what, is, bar, met] of lines) {
    console.log(
      `${what.padEnd(66)} ${is.padStart(9)}  ${bar.padEnd(9)} ${bar === "" ? "" : met ? "met" : "MISSED"}`,
    );
  }
  return lines.every(([, , , met]) => met);
}

/** Keeps what was told, a look in each line: all of it together is longer than a text can be. */
function keep(path: string, told: readonly (readonly [number, readonly Answers[]])[]): void {
  const file = openSync(path, "w");
  for (const [seed, looks] of told) {
    for (const look of looks) writeSync(file, `${JSON.stringify([seed, look])}\n`);
  }
  closeSync(file);
}

/** What was kept. */
async function readAgain(path: string): Promise<[number, Answers[]][]> {
  const days = new Map<number, Answers[]>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [seed, look] = JSON.parse(line) as [number, Answers];
    const looks = days.get(seed) ?? [];
    looks.push(look);
    days.set(seed, looks);
  }
  return [...days];
}

const again = process.env["AGAIN"];
const told: [number, Answers[]][] =
  again === undefined
    ? await Promise.all(seeds.map(async (seed) => [seed, await rehearse(seed)] as [number, Answers[]]))
    : await readAgain(again);
const kept = process.env["SAMPLES"];
if (kept !== undefined) keep(kept, told);
const met = table(told.map(([seed, answers]) => seen(seed, answers)));
process.exit(met ? 0 : 1);
