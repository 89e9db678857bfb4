import { connect } from "node:net";
import * as bombs from "./bombs.ts";
import { type Answer, baseUrl, Client, read } from "./client.ts";
import { evidence } from "./evidence.ts";
import { day, driver, fill, type Firm } from "./firm.ts";

export interface Attack {
  name: string;
  callers: number;
  /** Makes ready what the attack needs; what every caller then does, again and again. */
  prepare: () => Promise<() => Promise<Answer>> | (() => Promise<Answer>);
  /** One piece that takes long, which is not done in slices. */
  whole?: boolean;
  /** Whether an answer is a right one; by default everything but a fault of the server. */
  right?: (status: number) => boolean;
}

/** A clear refusal. */
const refused = (status: number): boolean => (status >= 400 && status < 500) || status === 503;

/** Seconds for which ten thousand stops are optimised. */
const SEARCH = 20;
const STOPS = 10_000;

/** Callers of everybody's ordinary work, against which the quiet organisation is measured. */
export const PLAIN = 4;
/** What each of them does, again and again. */
export const plainLoad = ({ client, scenario }: Firm): Promise<Answer> =>
  client.send("GET", `/jobs?scenario_ids=${scenario}&per_page=25`);

/** Everything that the loud organisation, and strangers, do. */
export function attacks(loud: Firm): readonly Attack[] {
  const { client, scenario, jobs } = loud;
  const stranger = new Client();
  const file = (name: string, callers: number, bytes: () => Uint8Array, right = refused): Attack => ({
    name,
    callers,
    prepare: () => {
      const content = bytes();
      return () => client.send("POST", "/jobs/read_file", { bytes: content });
    },
    right,
  });
  return [
    {
      // What the measure itself is worth: the plain load against itself.
      name: "none: the plain load",
      callers: PLAIN,
      prepare: () => () => plainLoad(loud),
    },
    file("V-01 workbook: a cell at XFD1048576", 8, bombs.farCell),
    file("V-01 workbook: says it has 4,294,967,295 texts", 8, bombs.manyTexts),
    file("V-13 workbook: unpacks to 256 MB", 4, bombs.unpacking),
    file("V-02 workbook: 10,000 rows", 3, () => bombs.fullSheet(10_000), ok),
    file("V-02 workbook: 60,000 rows", 3, () => bombs.fullSheet(60_000)),
    file("V-12 CSV: a quotation mark never closed, 10 MB", 4, bombs.openQuote),
    file("V-13 CSV: a million columns", 4, bombs.wideLine),
    file("V-13 CSV: 500,000 rows", 4, bombs.manyRows),
    {
      name: "JSON: a million brackets",
      callers: 4,
      prepare: () => {
        const bytes = bombs.deep();
        return () => client.send("POST", "/jobs", { bytes, type: "application/json" });
      },
      right: refused,
    },
    {
      name: "V-04 pictures: 16,000 x 16,000 pixels",
      callers: 8,
      prepare: () => {
        const bytes = bombs.picture(16_000, 16_000);
        return () => client.upload("/files/upload", "large.png", "image/png", bytes, "logo-");
      },
      right: refused,
    },
    {
      name: "V-04 pictures: twelve megapixels, uploaded",
      callers: 8,
      prepare: () => {
        const bytes = bombs.picture(4000, 3000);
        return () => client.upload("/files/upload", "photo.png", "image/png", bytes, "logo-");
      },
    },
    ...documents(loud, stranger),
    ...evidence(loud, refused),
    ...places(loud),
    ...messages(loud),
    {
      name: "V-23 sign-ups",
      callers: 8,
      prepare: () => {
        let n = 0;
        return () => stranger.send("POST", "/users/register", { json: signUp((n += 1)) });
      },
      right: (status) => status === 201 || refused(status),
    },
    {
      name: "V-10 thirty callers",
      callers: 30,
      prepare: () => () => client.send("GET", `/jobs?scenario_ids=${scenario}&per_page=300`),
    },
    {
      name: "exports of 2,000 jobs",
      callers: 8,
      prepare: () => () => client.send("POST", "/jobs/excel_export", { json: { job_ids: jobs } }),
    },
    {
      name: "V-23 guesses of tracking links",
      callers: 8,
      prepare: () => {
        let n = 0;
        return () => stranger.send("GET", `/jobs/tracking/${String((n += 1)).padStart(22, "x")}`);
      },
      right: refused,
    },
    {
      name: "V-23 guesses of passwords",
      callers: 8,
      prepare: () => {
        let n = 0;
        const guess = (): object => ({ email: loud.email, password: `guess number ${(n += 1)}` });
        return () => stranger.send("POST", "/users/login", { json: guess() });
      },
      right: refused,
    },
    {
      name: "V-24 requests that never end",
      callers: 200,
      whole: true,
      prepare: () => halfSent,
      right: () => true,
    },
    {
      name: "V-24 files of 24 MB that never end",
      callers: 60,
      whole: true,
      prepare: () => () => unending(client.token),
      right: (status) => status === 0 || refused(status),
    },
    {
      name: `V-09 ${STOPS.toLocaleString("en")} stops optimised`,
      callers: 1,
      whole: true,
      prepare: async () => {
        const large = await day(client, "Large day");
        await fill(client, large, STOPS);
        const driver_ids = [];
        for (let n = 0; n < 100; n += 1) driver_ids.push(await driver(client, n));
        const json = { driver_ids, options: { max_seconds: SEARCH } };
        return () => optimised(client, large, json);
      },
    },
  ];
}

function ok(status: number): boolean {
  return status === 200 || refused(status);
}

/** Streets and addresses of this process: what is asked of them is work of the loud one's own making. */
function places({ client, scenario }: Firm): readonly Attack[] {
  let n = 0;
  const made = (): string => `Rua ${(n += 1)} de ninguém ${"xyz".repeat(n % 30)}`;
  const looked = (): object => ({ addresses: Array.from({ length: 100 }, made) });
  const options = (): string => `/location_options?limit=20&text=${encodeURIComponent(made().repeat(2))}`;
  const call = (name: string, callers: number, send: () => Promise<Answer>): Attack => ({
    name,
    callers,
    prepare: () => send,
  });
  return [
    call("streets: the ways between 2,000 places", 8, () =>
      client.send("GET", `/scenarios/${scenario}/diagnosis`),
    ),
    call("addresses: a hundred that nobody knows", 8, () =>
      client.send("POST", "/jobs/look_up_addresses", { json: looked() }),
    ),
    call("addresses: long texts typed by thirty", 30, () => client.send("GET", options())),
    call("addresses to confirm, thirty callers", 30, () => client.send("GET", "/addresses_to_confirm")),
    {
      ...call("addresses: confirmations of none", 30, () =>
        client.send("POST", "/addresses_to_confirm/confirm", {
          json: { address: made(), lat: 41.1, lon: -8.6 },
        }),
      ),
      right: refused,
    },
  ];
}

/** The message centre. */
function messages({ client }: Firm): readonly Attack[] {
  let n = 0;
  return [
    {
      name: "messages: lists by thirty",
      callers: 30,
      prepare: () => () => client.send("GET", "/messages?per_page=300"),
    },
    {
      name: "messages: none of them sent again",
      callers: 30,
      prepare: () => () => client.send("POST", `/messages/${(n += 1)}/send_again`),
      right: refused,
    },
  ];
}

function signUp(n: number): object {
  return {
    email: `stranger${n}@attack.routewright.test`,
    password: "a long enough password",
    first_name: "Mallory",
    last_name: "Nunes",
    organisation_name: `Attack ${n} ${Date.now()}`,
  };
}

/** Proofs of delivery with five photos of twelve megapixels, asked for by whoever has the link. */
function documents({ client, jobs }: Firm, stranger: Client): readonly Attack[] {
  const asked = async (): Promise<string> => {
    const photo_ids: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const bytes = bombs.picture(4000 + n, 3000);
      const answer = await client.upload("/files/upload", `photo${n}.png`, "image/png", bytes, "proof");
      photo_ids.push((read("/files/upload", answer) as { id: number }).id);
    }
    const [id] = jobs;
    await client.made("/job_proofs", { job_id: id, success: true, photo_ids });
    const { tracking_token } = await client.got<{ tracking_token: string }>(`/jobs/${id}`);
    return `/jobs/tracking/${tracking_token}/proof_of_delivery_pdf`;
  };
  return [
    {
      name: "V-04 public proof PDF, five photos",
      callers: 8,
      prepare: async () => {
        const path = await asked();
        return () => stranger.send("GET", path);
      },
    },
    {
      name: "V-04 the same, callers leave after 0.1 s",
      callers: 8,
      prepare: async () => {
        const path = await asked();
        return () => stranger.send("GET", path, { leave: 100 });
      },
      right: (status) => status === 0 || ok(status),
    },
  ];
}

/** Optimises a scenario in the background; the answer that ends it, 500 for a failure. */
async function optimised(client: Client, scenario: number, json: object): Promise<Answer> {
  const path = `/optimise/background/scenarios/${scenario}`;
  const begun = await client.send("POST", path, { json });
  if (begun.status !== 202) return begun;
  for (;;) {
    await new Promise((done) => setTimeout(done, 500));
    const { status } = await client.got<{ status: string }>(path);
    if (status === "failed") return { ...begun, status: 500 };
    if (status !== "queued" && status !== "running") return begun;
  }
}

const halfSent = (): Promise<Answer> => begun("POST /api/users/login HTTP/1.1\r\nHost: x\r\n");

/** All of a file but its end. */
function unending(token: string): Promise<Answer> {
  const bytes = 24 << 20;
  const head = [
    "POST /api/jobs/read_file HTTP/1.1",
    `Host: ${new URL(baseUrl).host}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/octet-stream",
    `Content-Length: ${bytes}`,
  ];
  return begun(`${head.join("\r\n")}\r\n\r\n${"a".repeat(bytes - 1)}`);
}

/** Opens a connection, sends the beginning of a request, and waits until the server has had enough. */
function begun(beginning: string): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let told = "";
    const socket = connect(Number(port), hostname, () => socket.write(beginning));
    const end = (): void => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\S+ (\d+)/.exec(told)?.[1] ?? 0), body: new Uint8Array() });
    };
    socket.on("data", (part) => {
      told += part.toString("latin1");
      if (told.includes("\r\n")) end();
    });
    socket.on("error", end);
    socket.on("close", end);
  });
}
