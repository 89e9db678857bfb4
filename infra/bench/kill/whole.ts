import type { MailServer } from "./mail-server.ts";
import { pause, psql, sql, stored } from "./product.ts";
import type { Tally } from "./tally.ts";

/** Longest that the product may need to settle what was interrupted, milliseconds. */
const PATIENCE = 150_000;

interface Organisation {
  id: number;
  state: string;
}

const all = (): Promise<Organisation[]> =>
  sql<Organisation>(
    "select id, state from control.organisations where parent_organisation_id is null order by id",
  );

/** What belongs together in all organisations: schemas and roles with organisations, rows of files with bytes. */
export async function checkWhole(tally: Tally): Promise<void> {
  const organisations = await all();
  const named = new Set(organisations.map(({ id }) => `org_${id}`));
  const schemas = await sql<{ name: string }>(
    "select nspname as name from pg_namespace where nspname like 'org\\_%'",
  );
  const roles = await sql<{ name: string }>(
    "select rolname as name from pg_roles where rolname like 'org\\_%'",
  );
  for (const { name } of schemas) if (!named.has(name)) tally.unexplained(`schema ${name} belongs to nobody`);
  for (const { name } of roles) if (!named.has(name)) tally.unexplained(`role ${name} belongs to nobody`);
  for (const { id, state } of organisations.filter(({ state }) => state === "ready")) {
    if (!schemas.some(({ name }) => name === `org_${id}`))
      tally.lost(`the schema of organisation ${id}, ${state}`);
    const rows = await sql<{ key: string; state: string }>(
      `select storage_key as key, state from org_${id}.files`,
    );
    const known = new Set(rows.map(({ key }) => key));
    const bytes = stored(id).filter((name) => !name.startsWith("copies/"));
    for (const key of bytes)
      if (!known.has(key)) tally.unexplained(`the bytes ${key} of organisation ${id} have no row`);
    for (const { key, state } of rows) {
      if (state === "ready" && !bytes.includes(key))
        tally.lost(`the bytes of file ${key} of organisation ${id}`);
    }
  }
}

/** What is still on its way. */
async function onItsWay(id: number): Promise<string[]> {
  const schema = `org_${id}`;
  const rows = await sql<{ what: string }>(
    `select 'job ' || kind || ' ' || state as what from ${schema}.background_jobs where state in ('queued', 'running')
     union all select 'optimisation ' || status from ${schema}.optimisation_tasks where status in ('queued', 'running')
     union all select 'export ' || status from ${schema}.excel_exports where status = 'pending'
     union all select 'message ' || state from ${schema}.messages where state in ('pending', 'sending')
     union all select 'file ' || state from ${schema}.files where state <> 'ready'`,
  );
  return rows.map(({ what }) => what);
}

/**
 * Waits until everything that goes on by itself has come to its end. What waits for time to pass (a minute until work counts as
 * lost, ten until a mail counts as unknown, an hour until an upload counts as given up) is made older, as if it had.
 */
export async function settle(tally: Tally): Promise<void> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const organisations = await all();
    let left: string[] = [];
    for (const { id, state } of organisations) {
      if (state === "deleting") continue;
      if (state !== "ready") left.push(`organisation ${id} is ${state}`);
      else left.push(...(await onItsWay(id)).map((what) => `${what} of organisation ${id}`));
    }
    if (left.length === 0) return;
    if (Date.now() > until) {
      left = [...new Set(left)];
      for (const what of left) tally.unexplained(`${what} for ever`);
      return;
    }
    const older = organisations
      .filter(({ state }) => state === "ready")
      .map(
        ({ id }) =>
          `update org_${id}.messages set modified = modified - interval '11 minutes' where state = 'sending';
         update org_${id}.files set modified = modified - interval '61 minutes' where state <> 'ready';
         update org_${id}.optimisation_tasks set modified = modified - interval '31 seconds' where status = 'running';
         update org_${id}.background_jobs set locked_until = now() where state = 'running';
         update org_${id}.background_jobs set run_at = now() where state = 'queued' and run_at > now();`,
      );
    await pause(5000);
    await psql(older.join(""));
  }
}

/** Every mail that arrived is known, and arrived once. */
export async function checkMails(mail: MailServer, tally: Tally): Promise<void> {
  const times = new Map<string, number>();
  for (const { id } of mail.mails) times.set(id, (times.get(id) ?? 0) + 1);
  for (const [id, n] of times) if (n > 1) tally.doubled(`mail ${id} arrived ${n} times`);
  for (const { id } of await all()) {
    const dead = await sql<{ kind: string; last_error: string | null }>(
      `select kind, last_error from org_${id}.background_jobs where state = 'dead' and last_error is null`,
    );
    for (const { kind } of dead)
      tally.unexplained(`a job ${kind} of organisation ${id} is dead without a reason`);
  }
}
