import { rmSync } from "node:fs";
import { Client } from "../attack/client.ts";
import { found } from "../attack/firm.ts";
import { MailServer } from "./mail-server.ts";
import { exporting, importing, uploading } from "./orders.ts";
import { copying, provisioning } from "./organisations.ts";
import { dispatching, optimising } from "./plan.ts";
import { logEnd, pause, Product, type Victims, VICTIMS } from "./product.ts";
import { Tally } from "./tally.ts";
import { checkMails, checkWhole, settle } from "./whole.ts";
import { type Ground, nothing, type Piece, type Work } from "./work.ts";
import { Writers } from "./writers.ts";

const times = Number(process.env["TIMES"] ?? 20);
const only = process.env["ONLY"] ?? "";
const together = process.env["TOGETHER"] === "1";
const WORKS: readonly Work[] = [
  importing,
  optimising,
  dispatching,
  uploading,
  provisioning,
  exporting,
  copying,
];

const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;

/** Pieces of work, all under way when everything is killed, and the start after it. */
async function interrupt(
  ground: Ground,
  pieces: readonly Piece[],
  lengths: readonly number[],
  writers: Writers,
): Promise<string> {
  const commands = pieces.some(({ kill }) => kill !== undefined);
  const victims = any<Victims | "command">(commands ? [...VICTIMS, "command"] : VICTIMS);
  // Each is to be killed so long after its beginning; the one that needs most begins first.
  const reached = lengths.map((length) => Math.random() * length);
  const after = Math.max(...reached);
  writers.begin();
  const ended = pieces.map(async (piece, m) => {
    await pause(after - (reached[m] ?? 0));
    await piece.act().catch(nothing);
  });
  await pause(after);
  for (const { kill } of pieces) kill?.();
  if (victims !== "command") await ground.product.kill(victims);
  await Promise.all(ended);
  await writers.end();
  const began = Date.now();
  if (victims !== "command") await ground.product.start();
  await signIn(ground);
  return `${victims} after ${after.toFixed(0)} ms, back in ${((Date.now() - began) / 1000).toFixed(1)} s`;
}

async function signIn({ firm }: Ground): Promise<void> {
  firm.client = await Client.signIn(firm.email, firm.password);
}

/** How long the work takes when nobody disturbs it, milliseconds. */
async function undisturbed(
  ground: Ground,
  work: Work,
  tally: Tally,
): Promise<{ length: number; piece: Piece }> {
  const piece = await work.prepare(ground, 0, tally);
  const began = performance.now();
  await piece.act();
  const length = performance.now() - began;
  await piece.again();
  return { length, piece };
}

/** Kills in the middle of one kind of work, or of all at the same time. */
async function kill(ground: Ground, works: readonly Work[], tallies: readonly Tally[]): Promise<Piece[]> {
  const all: Piece[] = [];
  const lengths: number[] = [];
  for (const [m, work] of works.entries()) {
    const { length, piece } = await undisturbed(ground, work, tallies[m] as Tally);
    process.stderr.write(`${work.name}: takes ${length.toFixed(0)} ms\n`);
    lengths.push(length);
    all.push(piece);
  }
  for (let n = 1; n <= times; n += 1) {
    const pieces: Piece[] = [];
    for (const [m, work] of works.entries()) pieces.push(await work.prepare(ground, n, tallies[m] as Tally));
    const name = works.length === 1 ? (works[0]?.name ?? "") : "everything";
    const writers = new Writers(ground.firm, `${name} ${n} at`);
    const how = await interrupt(ground, pieces, lengths, writers);
    for (const tally of tallies) tally.kills += 1;
    for (const piece of pieces) await piece.again();
    await writers.check(tallies[0] as Tally);
    process.stderr.write(`${name} ${n}: ${how}, ${writers.count} other writes\n`);
    all.push(...pieces);
  }
  return all;
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}\n`);
  }
}

async function main(): Promise<boolean> {
  const mail = await MailServer.start();
  const product = new Product(mail.port);
  try {
    await product.start();
    const ground: Ground = { firm: await found("Kill", 1500), product, mail };
    const works = WORKS.filter(({ name }) => name.includes(only));
    const tallies = works.map(({ name }) => new Tally(name));
    const pieces: Piece[] = [];
    if (together) pieces.push(...(await kill(ground, works, tallies)));
    else
      for (const [m, work] of works.entries())
        pieces.push(...(await kill(ground, [work], [tallies[m] as Tally])));
    const whole = new Tally("what goes on by itself");
    await settle(whole);
    await signIn(ground);
    for (const piece of pieces) await piece.settled();
    await checkWhole(whole);
    await checkMails(mail, whole);
    whole.kills = together ? times : times * works.length;
    tallies.push(whole);
    print([["", "kills", "lost", "doubled", "unexplained", ""], ...tallies.map(({ cells }) => cells)]);
    return tallies.every(({ clean }) => clean);
  } catch (error) {
    process.stderr.write(`${String(error)}\n${logEnd()}\n`);
    return false;
  } finally {
    await product.stop();
    rmSync(process.env["DATA_DIR"] ?? "", { recursive: true, force: true });
  }
}

process.exit((await main()) ? 0 : 1);
