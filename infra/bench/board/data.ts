/** Where the product runs; `run.sh` starts it. */
export const baseUrl = process.env["PRODUCT_URL"] ?? "http://127.0.0.1:8080";

/** The demo organisation's administrator. */
export const login = { email: "admin@demo.routewright.test", password: "routewright-demo" };

/** Stops of a run, and jobs that stay unserved for each run. */
const STOPS = 25;
const UNSERVED = 0.5;

/** A planned day in the running product. */
export interface Board {
  scenario: number;
  jobs: number;
  runs: number;
}

/** A day with so many runs of 25 stops, made through the API: file import, runs by hand, jobs moved onto them. */
export async function makeBoard(runs: number): Promise<Board> {
  const api = await Api.signIn();
  const scheduled_date = new Date().toISOString().slice(0, 10);
  const scenario = await api.made("/scenarios", { name: `Board of ${runs} runs`, scheduled_date });
  const served = runs * STOPS;
  const jobs = served + Math.round(runs * UNSERVED);
  const rows = Array.from({ length: jobs }, (_, index) => job(index, runs));
  const { job_ids: ids } = await api.call<{ job_ids: number[] }>("POST", "/jobs/template_upload", {
    rows,
    scenario_id: scenario,
  });
  const moves: object[] = [];
  for (let n = 0; n < runs; n += 1) {
    const driver_id = await api.made("/drivers", driver(`B${runs}-${n + 1}`, n));
    const run_id = await api.made("/runs", { scenario_id: scenario, driver_id });
    moves.push({ run_id, job_ids: ids.slice(n * STOPS, (n + 1) * STOPS), seq: null, pool: false });
  }
  for (let from = 0; from < moves.length; from += MOVES_AT_ONCE) {
    await api.call("PUT", "/runs/bulk_move_jobs", { moves: moves.slice(from, from + MOVES_AT_ONCE) });
  }
  return { scenario, jobs, runs };
}

const MOVES_AT_ONCE = 50;
const COLOURS = ["#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#9a6324", "#800000"];

/** Columns of the quarters in which the runs drive. */
const COLUMNS = 20;

function driver(uid: string, n: number): object {
  const start = 6 + (n % 4);
  return {
    uid,
    location: { address: "Depot, Rua do Freixo, Porto", lat: 41.129, lon: -8.613 },
    shift_start: `0${start}:00`,
    shift_end: `${start + 11}:00`,
    lunch_time: "12:00",
    lunch_latest_start: "14:00",
    lunch_duration: 30,
    capacity: "boxes:200",
    email: `driver${n}@example.org`,
    route_colour: COLOURS[n % COLOURS.length],
  };
}

/** Every run has a quarter of the town; within it the stops lie in rows, up one and down the next. */
function job(index: number, runs: number): Record<string, string> {
  const run = Math.floor(index / STOPS) % runs;
  const place = index % STOPS;
  const [column, row] = [run % COLUMNS, Math.floor(run / COLUMNS)];
  const [across, up] = [place % 5, Math.floor(place / 5)];
  const lat = 41.1 + row * 0.012 + (across % 2 === 0 ? up : 4 - up) * 0.002;
  const lon = -8.68 + column * 0.012 + across * 0.002;
  // One in ten is promised too early for the order of its run.
  const narrow = index % 10 === 7;
  return {
    uid: `J-${index + 1}`,
    customer_name: `Customer ${index + 1}`,
    address: `Rua ${(index % 997) + 1}, Porto`,
    lat: lat.toFixed(6),
    lon: lon.toFixed(6),
    duration: "8",
    arrive_after: narrow ? "09:00" : "",
    leave_by: narrow ? "10:30" : "18:00",
    size: `boxes:${(index % 5) + 1}`,
    phone_number: "+351220000001",
    customer_email: `customer${index}@example.org`,
    comments: "Ring twice",
    invoice: `INV-${index}`,
  };
}

/** Calls of one signed-in user. */
class Api {
  private constructor(private readonly token: string) {}

  static async signIn(): Promise<Api> {
    const { token } = await new Api("").call<{ token: string }>("POST", "/users/login", login);
    return new Api(token);
  }

  /** Id of what was created. */
  async made(path: string, body: object): Promise<number> {
    return (await this.call<{ id: number }>("POST", path, body)).id;
  }

  async call<T>(method: string, path: string, body: object): Promise<T> {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(this.token === "" ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
}
