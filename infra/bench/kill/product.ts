import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { baseUrl } from "../attack/client.ts";

const run = promisify(execFile);
const dataDir = process.env["DATA_DIR"] ?? "";
const program = process.env["ROUTEWRIGHT"] ?? "";
const postgresBin = process.env["POSTGRES_BIN"] ?? "";

/** What dies together with the program: nothing else, its Postgres, or of that only the first process. */
export const VICTIMS = ["services", "services and Postgres", "services and postmaster"] as const;
export type Victims = (typeof VICTIMS)[number];

/** Longest that a start may take, milliseconds. */
const START = 180_000;

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds));

/** The whole product on one machine, to be killed and started again on the same data. */
export class Product {
  private process: ChildProcess | undefined;

  constructor(private readonly mailPort: number) {}

  async start(): Promise<void> {
    const log = openSync(join(dataDir, "..", "log"), "a");
    this.process = spawn(program, {
      env: {
        ...process.env,
        SMTP_HOST: "127.0.0.1",
        SMTP_PORT: String(this.mailPort),
        SMTP_SECURITY: "none",
        SMTP_FROM: "Routewright <no-reply@routewright.test>",
      },
      stdio: ["ignore", log, log],
    });
    const process_ = this.process;
    for (const until = Date.now() + START; Date.now() < until; await pause(50)) {
      if (process_.exitCode !== null) break;
      const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
    }
    throw new Error(`the product does not start:\n${logEnd()}`);
  }

  /** Ends it without a word. */
  async kill(victims: Victims): Promise<void> {
    const first = this.process;
    if (first?.pid === undefined) return;
    const others = victims === "services" ? [] : postgres(victims === "services and Postgres");
    const gone = new Promise((done) => first.once("exit", done));
    for (const pid of [first.pid, ...others]) end(pid);
    await gone;
  }

  /** Ends it as a person does, and whatever is left of it. */
  async stop(): Promise<void> {
    const last = this.process;
    if (last?.exitCode === null && last.signalCode === null) {
      const gone = new Promise((done) => last.once("exit", done));
      last.kill("SIGINT");
      await gone;
    }
    if (existsSync(join(cluster(), "postmaster.pid"))) postgres(true).forEach(end);
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was faster.
  }
}

export function logEnd(): string {
  return readFileSync(join(dataDir, "..", "log"), "utf8")
    .split("\n")
    .slice(-40)
    .join("\n");
}

function cluster(): string {
  const note = join(dataDir, "postgres-folder");
  const folder = existsSync(note) ? readFileSync(note, "utf8").trim() : join(dataDir, "postgres");
  return join(folder, "cluster");
}

function mark(): string[] {
  return readFileSync(join(cluster(), "postmaster.pid"), "utf8").split("\n");
}

/** The processes of the product's Postgres: the first one alone, or with its children. */
function postgres(children: boolean): number[] {
  const first = Number(mark()[0]);
  if (!children) return [first];
  const parent = (pid: string): string | undefined => {
    try {
      return /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
    } catch {
      return undefined;
    }
  };
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [first, ...all.filter((pid) => parent(pid) === String(first)).map(Number)];
}

interface Secrets {
  master_key: string;
  database_password: string;
  superuser_password: string;
}

const secrets = (): Secrets => JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as Secrets;

/** Where the product's Postgres listens now. */
const port = (): string => mark()[3] ?? "";

/** Rows of a query that sees everything. */
export async function sql<T>(query: string): Promise<T[]> {
  const text = await psql(`select coalesce(json_agg(t), '[]') from (${query}) t`);
  return JSON.parse(text) as T[];
}

/** Statements of somebody who may everything, unseen by triggers. */
export async function psql(statements: string): Promise<string> {
  const options = [
    "-h",
    "127.0.0.1",
    "-p",
    port(),
    "-U",
    "superuser",
    "-d",
    "routewright",
    "-XAtqv",
    "ON_ERROR_STOP=1",
  ];
  const env = { ...process.env, PGPASSWORD: secrets().superuser_password };
  const all = `set session_replication_role = replica; ${statements}`;
  return (await run(join(postgresBin, "psql"), [...options, "-c", all], { env, maxBuffer: 1 << 28 })).stdout;
}

/** Names and sizes of the stored files of an organisation, below its folder. */
export function stored(organisation: number): string[] {
  const folder = join(dataDir, "files", "routewright", `org_${organisation}`);
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** An operator's command, to be killed as well. */
export function operator(...words: string[]): ChildProcess {
  const { master_key, database_password } = secrets();
  const database = `postgres://routewright:${database_password}@127.0.0.1:${port()}/routewright`;
  return spawn(join(program, "..", "routewright-control-plane"), ["organisation", ...words], {
    env: {
      ...process.env,
      ROUTEWRIGHT_MODE: "local",
      PUBLIC_URL: baseUrl,
      MASTER_KEY: master_key,
      DATABASE_URL: database,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
