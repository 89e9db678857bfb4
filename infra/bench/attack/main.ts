import { execFileSync, fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { type Attack, attacks, PLAIN, plainLoad } from "./attacks.ts";
import { type Answer } from "./client.ts";
import { found, type Firm } from "./firm.ts";

/** Memory above the idle product, megabytes. */
const MEMORY = 1024;
/** Seconds in which the product notices that nobody waits any more. */
const AFTER = 5;
/** How much slower the quiet organisation may get than beside a plain load. */
const SLOWER = 1.1;
const seconds = Number(process.env["SECONDS_EACH"] ?? 8);
/** Plain load and attack in turns of a second, so that what else the machine does meets both. */
const SLICE = 1;
/** How often slices are drawn anew to find how sure a ratio is. */
const DRAWS = 400;
const pid = Number(process.env["PRODUCT_PID"]);

/** What was seen while something went on. */
interface Seen {
  statuses: Map<number, number>;
  /** Largest resident memory of the product and its pieces, megabytes. */
  peak: number;
  /** Seconds for which the product went on working when nobody waited any more. */
  after: number;
  /** Of the quiet organisation's calls: milliseconds each, by slice; how many failed. */
  times: number[][];
  failed: number;
}

/** What was seen in two slices. */
function both(one: Seen, other: Seen): Seen {
  const statuses = new Map(one.statuses);
  for (const [status, n] of other.statuses) statuses.set(status, (statuses.get(status) ?? 0) + n);
  return {
    statuses,
    peak: Math.max(one.peak, other.peak),
    after: Math.max(one.after, other.after),
    times: [...one.times, ...other.times],
    failed: one.failed + other.failed,
  };
}

/** What a file of the system says about a process, nothing when that has ended. */
function told(of: number, file: string): string {
  try {
    return readFileSync(`/proc/${of}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Processes that the product has begun for pieces of work and that have not ended. */
function pieces(): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => told(pid, `task/${thread}/children`).split(" "))
    .filter((child) => child !== "")
    .map(Number)
    .filter((child) => told(child, "cmdline").split("\0")[1] === "piece");
}

/** Resident memory of the product and of its pieces, which share the program's file with it, megabytes. */
function memory(): number {
  const row = (of: number, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(told(of, "status"))?.[1] ?? 0) / 1024;
  return pieces().reduce((sum, piece) => sum + row(piece, "RssAnon"), row(pid, "VmRSS"));
}

/** Seconds of processor time that the product and its pieces have had. */
function worked(): number {
  // Fields 14 to 17 of proc(5), in hundredths; the last two are of pieces that have ended.
  const had = (of: number): number =>
    told(of, "stat")
      .split(/\) | /)
      .slice(13, 17)
      .reduce((sum, field) => sum + Number(field), 0) / 100;
  return pieces().reduce((sum, piece) => sum + had(piece), had(pid));
}

/** Waits until the product rests; for how many seconds it did not. */
async function rest(): Promise<number> {
  const began = Date.now();
  for (let before = worked(); Date.now() - began < PATIENCE;) {
    await pause(500);
    const now = worked();
    if (now - before < 0.25) break;
    before = now;
  }
  return (Date.now() - began) / 1000 - 0.5;
}

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** The quiet organisation, in a process of its own that nothing here slows down. */
class Quiet {
  private readonly process;

  constructor(firm: Firm) {
    this.process = fork(fileURLToPath(new URL("quiet.js", import.meta.url)), {
      env: {
        ...process.env,
        TOKEN: firm.client.token,
        SCENARIO: String(firm.scenario),
        JOB: String(firm.jobs[0]),
      },
    });
  }

  begin(): void {
    this.process.send("begin");
  }

  async end(): Promise<{ times: number[]; failed: number }> {
    const told = new Promise<{ times: number[]; failed: number }>((resolve) =>
      this.process.once("message", (message) => resolve(message as { times: number[]; failed: number })),
    );
    this.process.send("end");
    return told;
  }

  close(): void {
    this.process.kill();
  }
}

/** Lets callers do something for a while, at least once, and looks at the product and the quiet organisation. */
async function watch(
  quiet: Quiet,
  callers: number,
  call: () => Promise<Answer>,
  seconds: number,
): Promise<Seen> {
  const statuses = new Map<number, number>();
  let peak = memory();
  const watching = setInterval(() => (peak = Math.max(peak, memory())), 25);
  const until = Date.now() + seconds * 1000;
  quiet.begin();
  const caller = async (): Promise<void> => {
    do {
      const { status } = await Promise.race([call(), overdue(until)]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    } while (Date.now() < until);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const { times, failed } = await quiet.end();
  const after = await rest();
  clearInterval(watching);
  return { statuses, peak, after, times: [times], failed };
}

/** Longest that anybody waits, milliseconds. */
const PATIENCE = 90_000;

/** The answer of whoever waits longer than anybody should: none. */
async function overdue(until: number): Promise<Answer> {
  await pause(Math.max(0, until - Date.now()) + PATIENCE);
  return { status: -1, body: new Uint8Array() };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}

/** The p95 of the calls of all slices. */
const p95 = (slices: readonly (readonly number[])[]): number => percentile(slices.flat(), 0.95);

/** Between what and what a ratio lies in nine of ten cases, by slices drawn anew. */
function interval(plain: readonly number[][], attacked: readonly number[][]): readonly [number, number] {
  const drawn = (slices: readonly number[][]): number[][] =>
    slices.map(() => slices[Math.floor(Math.random() * slices.length)] ?? []);
  const ratios = Array.from({ length: DRAWS }, () => p95(drawn(attacked)) / p95(drawn(plain)));
  return [percentile(ratios, 0.05), percentile(ratios, 0.95)];
}

/** Everything but a fault, and no answer at all. */
const served = (status: number): boolean => (status >= 200 && status < 500) || status === 503;

function lineOf(attack: Attack, plain: Seen, seen: Seen, idle: number): { cells: string[]; kept: boolean } {
  const right = attack.right ?? served;
  const above = seen.peak - idle;
  const [usual, attacked] = [p95(plain.times), p95(seen.times)];
  const [least, most] = interval(plain.times, seen.times);
  const wrong = [...seen.statuses.keys()].filter((status) => !right(status));
  const missed = [
    wrong.length > 0 && "answers",
    above > MEMORY && "memory",
    least > SLOWER && "quiet p95",
    seen.failed > 0 && "quiet calls",
    seen.after > AFTER && "work for nobody",
  ].filter(Boolean);
  const answers = [...seen.statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status} x ${n}`);
  return {
    kept: missed.length === 0,
    cells: [
      attack.name,
      answers.join(", "),
      `${above.toFixed(0)} MB`,
      `${seen.after.toFixed(1)} s`,
      `${usual.toFixed(0)} ms`,
      `${attacked.toFixed(0)} ms`,
      `${(attacked / usual).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
      missed.length === 0 ? "pass" : `MISS: ${missed.join(", ")}`,
    ],
  };
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}\n`);
  }
}

/** Has this process run only when nothing else wants to: lowest priority, and interrupted at once where the system can do so. */
function comeLast(): void {
  setPriority(19);
  try {
    execFileSync("chrt", ["--all-tasks", "--idle", "--pid", "0", String(process.pid)]);
  } catch {
    process.stderr.write("chrt is missing: who attacks takes some of the product's time\n");
  }
}

async function main(): Promise<boolean> {
  const loud = await found("Loud", 2000);
  const quiet = new Quiet(await found("Calm", 300));
  // Whoever attacks has machines of his own. Here they share one, and come after all that the product does; the quiet
  // organisation's process was begun before that, as it has a machine of its own, too.
  comeLast();
  await pause(2000);
  const idle = memory();
  const rows = [
    [
      "",
      "answers",
      "above idle",
      "works on",
      "quiet p95",
      "attacked",
      "ratio",
      `<= ${MEMORY} MB, <= ${SLOWER}`,
    ],
  ];
  let kept = true;
  const only = process.env["ONLY"] ?? "";
  for (const attack of attacks(loud).filter(({ name }) => name.includes(only))) {
    const call = await attack.prepare();
    const slices = attack.whole === true ? 1 : Math.max(1, Math.round(seconds / SLICE));
    const slice = async (): Promise<[Seen, Seen]> => [
      await watch(quiet, PLAIN, () => plainLoad(loud), seconds / slices),
      await watch(quiet, attack.callers, call, seconds / slices),
    ];
    let [plain, seen] = await slice();
    for (let n = 1; n < slices; n += 1) {
      const [more, again] = await slice();
      [plain, seen] = [both(plain, more), both(seen, again)];
    }
    const line = lineOf(attack, plain, seen, idle);
    kept &&= line.kept;
    rows.push(line.cells);
    process.stderr.write(`${line.cells.join("  ")}\n`);
  }
  quiet.close();
  print(rows);
  return kept;
}

// Connections that the product has not ended would keep this process.
process.exit((await main()) ? 0 : 1);
