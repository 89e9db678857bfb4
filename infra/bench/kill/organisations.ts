import { type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Answer, Client } from "../attack/client.ts";
import { found, type Firm } from "../attack/firm.ts";
import { operator, sql } from "./product.ts";
import type { Tally } from "./tally.ts";
import { nothing, type Piece, type Work } from "./work.ts";

/** New organisations. */
export const provisioning: Work = {
  name: "provisioning",
  prepare: async (_, n, tally) => {
    const operator_ = await Client.signIn("operator@master.routewright.test", "routewright-demo");
    const name = `Provisioned ${n}`;
    const admin = {
      email: `admin@provisioned-${n}.routewright.test`,
      password: "a long enough password",
      first_name: "Ana",
      last_name: "Reis",
    };
    const send = (client: Client): Promise<Answer> =>
      client.send("POST", "/organisations", { json: { name, timezone: "Europe/Lisbon", admin } });
    const entered = (): Promise<{ id: number; state: string; schema_error: string | null }[]> =>
      sql(`select id, state, schema_error from control.organisations where name = '${name}'`);
    let answered = false;
    return {
      act: async () => {
        answered = (await send(operator_)).status === 201;
      },
      again: async () => {
        if (answered && (await entered()).length === 0) tally.lost(name);
        const operator_ = await Client.signIn("operator@master.routewright.test", "routewright-demo");
        const { status, body } = await send(operator_);
        const text = new TextDecoder().decode(body);
        const known = status === 400 && text.includes("already exists");
        if (status !== 201 && !known) tally.unexplained(`${name} sent again is answered ${status} ${text}`);
        tally.one((await entered()).length, name);
      },
      settled: async () => {
        const [one] = await entered();
        if (one?.state !== "ready")
          tally.unexplained(`${name} is ${one?.state ?? "gone"}: ${one?.schema_error ?? ""}`);
        const client = await Client.signIn(admin.email, admin.password);
        const { total_count } = await client.got<{ total_count: number }>("/scenarios");
        tally.one(total_count, `the first scenario of ${name}`);
      },
    };
  },
};

let vault: Promise<Firm> | undefined;
const folder = join(process.env["DATA_DIR"] ?? "", "..", "backups");

/** A command to its end: what it printed, none when it was killed or failed. */
async function ended(command: ChildProcess): Promise<string | undefined> {
  let out = "";
  let fault = "";
  command.stdout?.on("data", (piece) => (out += String(piece)));
  command.stderr?.on("data", (piece) => (fault += String(piece)));
  const code = await new Promise((done) => command.once("close", done));
  if (code !== null && code !== 0) process.stderr.write(`an operator's command: ${fault}${out}\n`);
  return code === 0 ? out.trim() : undefined;
}

async function copy(id: number): Promise<string> {
  const file = await ended(operator("backup", String(id), "--folder", folder));
  if (file === undefined) throw new Error("a backup fails");
  return file;
}

const locations = async (firm: Firm): Promise<string[]> => {
  const rows = await sql<{ uid: string }>(`select uid from org_${firm.id}.locations order by uid`);
  return rows.map(({ uid }) => uid);
};

const place = (uid: string): object => ({
  uid,
  name: uid,
  address: "Rua do Freixo, Porto",
  lat: 41.129,
  lon: -8.613,
});

/** Whether users of an organisation can work. */
async function works(firm: Firm, tally: Tally, what: string): Promise<void> {
  const state = await sql<{ state: string; schema_error: string | null }>(
    `select state, schema_error from control.organisations where id = ${firm.id}`,
  );
  if (state[0]?.state !== "ready")
    tally.unexplained(`${what}: ${state[0]?.state ?? ""} ${state[0]?.schema_error ?? ""}`);
  const client = await Client.signIn(firm.email, firm.password);
  const answer = await client.send("POST", "/locations", { json: place(what) });
  if (answer.status !== 200 && answer.status !== 201)
    tally.unexplained(`${what}: a write is answered ${answer.status}`);
}

/** Waits until organisations that something interrupted are finished. */
async function ready(firm: Firm): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const rows = await sql<{ state: string }>(
      `select state from control.organisations where id = ${firm.id}`,
    );
    if (rows[0]?.state === "ready") return;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** Copies into a file. */
async function saving(firm: Firm, n: number, tally: Tally): Promise<Piece> {
  const expected = await locations(firm);
  let command: ChildProcess | undefined;
  let file: string | undefined;
  return {
    act: async () => {
      command = operator("backup", String(firm.id), "--folder", folder);
      file = await ended(command);
    },
    kill: () => command?.kill("SIGKILL"),
    again: async () => {
      const whole = file ?? (await copy(firm.id));
      const left = readdirSync(folder).filter((name) => name.endsWith(".part"));
      if (left.length > 0) tally.unexplained(`backup ${n} leaves ${left.join(", ")}`);
      // Every file that bears the name of a backup is one.
      if ((await ended(operator("restore", String(firm.id), "--file", whole))) === undefined) {
        tally.lost(`backup ${n} cannot be read back`);
      }
      if (JSON.stringify(await locations(firm)) !== JSON.stringify(expected))
        tally.lost(`rows of backup ${n}`);
      await works(firm, tally, `after backup ${n}`);
    },
    settled: nothing,
  };
}

/** Reads a file back in place of what is there. */
async function restoring(firm: Firm, n: number, tally: Tally): Promise<Piece> {
  const saved = await locations(firm);
  const file = await copy(firm.id);
  const client = await Client.signIn(firm.email, firm.password);
  await client.made("/locations", place(`later than backup ${n}`));
  const later = await locations(firm);
  let command: ChildProcess | undefined;
  let done = false;
  const restore = async (): Promise<boolean> => {
    command = operator("restore", String(firm.id), "--file", file);
    return (await ended(command)) !== undefined;
  };
  return {
    act: async () => {
      done = await restore();
    },
    kill: () => command?.kill("SIGKILL"),
    again: async () => {
      await ready(firm);
      const there = JSON.stringify(await locations(firm));
      const isSaved = there === JSON.stringify(saved);
      if (done && !isSaved) tally.lost(`restore ${n}`);
      if (!isSaved && there !== JSON.stringify(later))
        tally.unexplained(`restore ${n} left neither the one nor the other`);
      await works(firm, tally, `after restore ${n}`);
      if (!(await restore())) tally.lost(`restore ${n} cannot be done again`);
      if (JSON.stringify(await locations(firm)) !== JSON.stringify(saved)) tally.lost(`rows of restore ${n}`);
      await works(firm, tally, `after the second restore ${n}`);
    },
    settled: nothing,
  };
}

/** Backups, and every second time the way back. */
export const copying: Work = {
  name: "backup and restore",
  prepare: async (_, n, tally) => {
    mkdirSync(folder, { recursive: true });
    vault ??= found("Vault", 1000);
    const firm = await vault;
    return n % 2 === 0 ? saving(firm, n, tally) : restoring(firm, n, tally);
  },
};
