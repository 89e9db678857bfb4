import { Client } from "./client.ts";

/** An organisation with a day. */
export interface Firm {
  id: number;
  client: Client;
  email: string;
  password: string;
  scenario: number;
  jobs: number[];
}

const operator = { email: "operator@master.routewright.test", password: "routewright-demo" };

/** Founds an organisation with a day of so many jobs. */
export async function found(name: string, jobs: number): Promise<Firm> {
  const master = await Client.signIn(operator.email, operator.password);
  const admin = {
    email: `admin@${name.toLowerCase()}.routewright.test`,
    password: "a long enough password",
    first_name: "Ana",
    last_name: "Reis",
  };
  const { id } = await master.made<{ id: number }>("/organisations", {
    name,
    timezone: "Europe/Lisbon",
    admin,
  });
  const client = await Client.signIn(admin.email, admin.password);
  const scenario = await day(client, `${name} day`);
  return {
    id,
    client,
    email: admin.email,
    password: admin.password,
    scenario,
    jobs: await fill(client, scenario, jobs),
  };
}

/** An empty scenario. */
export async function day(client: Client, name: string): Promise<number> {
  const scheduled_date = new Date().toISOString().slice(0, 10);
  return (await client.made<{ id: number }>("/scenarios", { name, scheduled_date })).id;
}

/** Largest number of rows in one upload. */
const AT_ONCE = 5000;

/** Puts jobs over the town into a scenario; their ids. */
export async function fill(client: Client, scenario_id: number, jobs: number): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < jobs; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, jobs - from) }, (_, n) => job(from + n));
    const made = await client.made<{ job_ids: number[] }>("/jobs/template_upload", { rows, scenario_id });
    ids.push(...made.job_ids);
  }
  return ids;
}

function job(n: number): Record<string, string> {
  return {
    uid: `J-${n + 1}`,
    customer_name: `Customer ${n + 1}`,
    address: `Rua ${(n % 997) + 1}, Porto`,
    // No two at the same place: a place costs memory, a further job there nearly none.
    lat: (41.1 + ((n * 7919) % 10_007) / 100_070).toFixed(6),
    lon: (-8.68 + ((n * 104_729) % 9973) / 79_784).toFixed(6),
    duration: "5",
    size: `boxes:${(n % 5) + 1}`,
    phone_number: "+351220000001",
    customer_email: `customer${n}@example.org`,
  };
}

/** A driver who begins at eight; its id. */
export async function driver(client: Client, n: number): Promise<number> {
  return (
    await client.made<{ id: number }>("/drivers", {
      uid: `D-${n + 1}`,
      location: { address: "Rua do Freixo, Porto", lat: 41.129, lon: -8.613 },
      shift_start: "08:00",
      shift_end: "20:00",
      capacity: "boxes:900",
    })
  ).id;
}
