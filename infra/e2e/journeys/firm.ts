import { Api } from "./product.ts";

export interface Stop {
  id: number;
  uid: string;
  run_id: number | null;
  tracking_token: string;
}
export interface Tour {
  id: number;
  uid: string;
  token: string;
}
interface List<T> {
  data: T[];
}

/** An organisation of its own with a planned day, so that no journey meets another one's data. */
export interface Firm {
  organisation: number;
  admin: Api;
  email: string;
  secret: string;
  scenario: { id: number; ws_token: string };
  jobs: Stop[];
  runs: Tour[];
}

const secret = "a long enough password";
const depot = { address: "Rua de Camões, Porto", lat: 41.1553, lon: -8.6103 };

/** Founds a firm with two drivers and eight jobs on their runs. */
export async function found(name: string): Promise<Firm> {
  const operator = await Api.as("operator");
  const stamp = Date.now();
  const email = `admin-${stamp}@${name.toLowerCase()}.routewright.test`;
  const { id } = await operator.call<{ id: number }>("POST", "/organisations", {
    name: `${name} ${stamp}`,
    timezone: "Europe/Lisbon",
    admin: { email, password: secret, first_name: "Ana", last_name: "Reis" },
  });
  const modules = ["units", "returns", "containers", "constraints_checker"];
  await operator.call("PATCH", `/organisations/${id}`, { modules });
  const admin = await Api.as(email, secret);
  const drivers: number[] = [];
  for (const uid of ["Maria", "João"]) {
    const body = {
      uid,
      location: depot,
      shift_start: "08:00",
      shift_end: "18:00",
      email: "driver@example.org",
    };
    drivers.push((await admin.call<{ id: number }>("POST", "/drivers", body)).id);
  }
  const today = new Date().toISOString().slice(0, 10);
  const scenario = await admin.call<{ id: number; ws_token: string }>("POST", "/scenarios", {
    name: `${name} day`,
    scheduled_date: today,
  });
  for (let n = 1; n <= 8; n += 1) {
    const job = await admin.call<{ id: number }>("POST", "/jobs", {
      uid: `S-${n}`,
      scenario_id: scenario.id,
      customer_name: `Customer ${n}`,
      customer_email: "customer@example.org",
      phone_number: "+351220000001",
      comments: "Ring twice",
      duration: 5,
      location: { address: `Rua ${n}, Porto`, lat: 41.15 + n / 500, lon: -8.62 + (n % 4) / 200 },
    });
    if (n <= 2) await admin.call("POST", "/units", { uid: `U-${n}`, name: "Box", job_id: job.id });
  }
  await admin.call("POST", `/optimise/scenarios/${scenario.id}`, {
    driver_ids: drivers,
    options: { max_seconds: 1 },
  });
  const all = `?scenario_ids=${scenario.id}&per_page=50`;
  const jobs = (await admin.get<List<Stop>>(`/jobs${all}`)).data;
  const runs = (await admin.get<List<Tour>>(`/runs?scenario_id=${scenario.id}&per_page=50`)).data;
  return { organisation: id, admin, email, secret, scenario, jobs, runs };
}
