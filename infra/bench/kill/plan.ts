import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Answer, read } from "../attack/client.ts";
import { day, driver, fill } from "../attack/firm.ts";
import { sql } from "./product.ts";
import type { Work } from "./work.ts";

/** Jobs of a day that is optimised. */
const JOBS = 60;
/** Seconds for which it is searched. */
const SEARCH = 2;
/** Runs that are dispatched in one request. */
const RUNS = 6;

interface Task {
  task_id: number;
  status: string;
  error: string | null;
}

let drivers: Promise<number[]> | undefined;

/** Optimisation in the background. */
export const optimising: Work = {
  name: "optimise",
  prepare: async ({ firm }, n, tally) => {
    drivers ??= Promise.all([0, 1].map((m) => driver(firm.client, m)));
    const driver_ids = await drivers;
    const scenario = await day(firm.client, `Optimise ${n}`);
    await fill(firm.client, scenario, JOBS);
    const path = `/optimise/background/scenarios/${scenario}`;
    const key = randomUUID();
    let task = 0;
    const ask = async (): Promise<number> => {
      const json = { driver_ids, options: { max_seconds: SEARCH } };
      const answer = await firm.client.send("POST", path, { json, key });
      return answer.status === 0 ? 0 : (read(path, answer) as Task).task_id;
    };
    return {
      act: async () => {
        task = await ask();
        for (let status = "queued"; task > 0 && ["queued", "running"].includes(status);) {
          await new Promise((done) => setTimeout(done, 100));
          const answer = await firm.client.send("GET", path);
          if (answer.status === 0) return;
          status = (read(path, answer) as Task).status;
        }
      },
      again: async () => {
        const second = await ask();
        if (task > 0 && second !== task) tally.doubled(`optimisation ${n} is tasks ${task} and ${second}`);
        task = second;
      },
      settled: async () => {
        const tasks = await sql<Task>(
          `select id as task_id, status, error from org_${firm.id}.optimisation_tasks where scenario_id = ${scenario}`,
        );
        tally.one(tasks.length, `optimisation ${n}`);
        const [ended] = tasks;
        if (ended === undefined) return;
        const told = ended.status === "done" || (ended.status === "failed" && ended.error !== null);
        if (!told) tally.unexplained(`optimisation ${n} is ${ended.status}`);
        const [plan] = await sql<{ jobs: number; served: number; wrong: number }>(
          `select count(*) as jobs, count(run_id) as served, count(*) filter (where run_id is not null and eta is null) as wrong
           from org_${firm.id}.jobs where scenario_id = ${scenario}`,
        );
        if (plan?.jobs !== JOBS) tally.lost(`optimisation ${n} leaves ${plan?.jobs ?? 0} jobs`);
        const half = ended.status === "done" ? plan?.served !== JOBS : plan?.served !== 0;
        if (half || plan?.wrong !== 0) {
          tally.unexplained(`optimisation ${n} is ${ended.status} with ${plan?.served ?? 0} jobs on runs`);
        }
      },
    };
  },
};

interface Sheet {
  id: number;
  state: string;
  error: string | null;
  message_id: string | null;
  dispatched: boolean;
  reasons: number;
}

/** Run sheets that are mailed, each run to an address of its own. */
export const dispatching: Work = {
  name: "dispatch",
  prepare: async ({ firm, mail }, n, tally) => {
    const scenario_id = await day(firm.client, `Dispatch ${n}`);
    const runs: { id: number; email: string }[] = [];
    for (let m = 0; m < RUNS; m += 1) {
      const email = `driver-${n}-${m}@example.org`;
      const driver_id = await driver(firm.client, 1000 + n * RUNS + m);
      const made = await firm.client.made<{ id: number }>("/runs", {
        scenario_id,
        driver_id,
        email,
        force: true,
      });
      runs.push({ id: made.id, email });
    }
    const key = randomUUID();
    const send = (): Promise<Answer> => {
      const json = runs.map(({ id }) => ({ run_id: id, method: "email" }));
      return firm.client.send("POST", "/runs/dispatch", { json, key });
    };
    let first: Answer | undefined;
    return {
      act: async () => {
        first = await send();
      },
      again: async () => {
        const second = await send();
        if (second.status !== 200) {
          tally.unexplained(
            `dispatch ${n} sent again answers ${second.status} ${new TextDecoder().decode(second.body)}`,
          );
        }
        if (first?.status === 200 && !isDeepStrictEqual(read("", first), read("", second))) {
          tally.unexplained(`dispatch ${n} answers differently when it is sent again`);
        }
      },
      settled: async () => {
        await sql(`select org_${firm.id}.audit_unfold()`);
        for (const { id, email } of runs) {
          const what = `the mail to ${email}`;
          const sheets = await sql<Sheet>(
            `select m.id, m.state, m.error, m.message_id, r.dispatched,
                 (select count(*) from org_${firm.id}.audit_entries a
                  where a.kind = 'run' and a.object_id = r.id and a.after ? 'dispatch' and a.reason is not null) as reasons
             from org_${firm.id}.runs r join org_${firm.id}.messages m on m.intent like 'run_sheet:' || r.id || ':%'
             where r.id = ${id}`,
          );
          tally.one(sheets.length, what);
          const [sheet] = sheets;
          const arrived = mail.to(email);
          if (arrived > 1) tally.doubled(`${what} arrived ${arrived} times`);
          if (sheet?.state === "sent") {
            if (arrived === 0) tally.lost(`${what} counts as sent`);
            if (!sheet.dispatched) tally.unexplained(`run ${id} is not dispatched, its mail was sent`);
          } else if (sheet?.state === "unknown") {
            if (sheet.error === null || sheet.dispatched || sheet.reasons === 0) {
              tally.unexplained(`nobody is told that ${what} may have arrived`);
            }
          } else if (sheet !== undefined) {
            tally.unexplained(`${what} is ${sheet.state}: ${sheet.error ?? ""}`);
          }
        }
      },
    };
  },
};
