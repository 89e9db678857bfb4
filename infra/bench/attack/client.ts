import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

export const baseUrl = process.env["PRODUCT_URL"] ?? "http://127.0.0.1:8080";

const agent = new Agent({ keepAlive: true });

/** What came back. Status 0: nothing, the connection ended. */
export interface Answer {
  status: number;
  body: Uint8Array;
}

export interface Sent {
  json?: unknown;
  bytes?: Uint8Array;
  type?: string;
  /** Milliseconds after which the caller leaves. */
  leave?: number;
  /** Marks a submit: sent twice, it is done once. */
  key?: string;
}

/** Calls of one signed-in user, or of nobody. */
export class Client {
  constructor(readonly token = "") {}

  static async signIn(email: string, password: string): Promise<Client> {
    const { token } = await new Client().made<{ token: string }>("/users/login", { email, password });
    return new Client(token);
  }

  send(method: string, path: string, { json, bytes, type, leave, key }: Sent = {}): Promise<Answer> {
    const body = json === undefined ? bytes : JSON.stringify(json);
    const headers: Record<string, string> = {};
    if (this.token !== "") headers["authorization"] = `Bearer ${this.token}`;
    if (key !== undefined) headers["idempotency-key"] = key;
    if (body !== undefined) {
      headers["content-type"] =
        type ?? (json === undefined ? "application/octet-stream" : "application/json");
    }
    // What Node's `fetch` takes itself would be taken from the product, which runs beside it.
    return new Promise((resolve) => {
      const nothing = (): void => resolve({ status: 0, body: new Uint8Array() });
      const call = request(`${baseUrl}/api${path}`, { method, headers, agent }, (answer) => {
        const parts: Uint8Array[] = [];
        answer.on("data", (part: Uint8Array) => parts.push(part));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) }));
        answer.on("error", nothing);
      });
      call.on("error", nothing);
      if (leave !== undefined) setTimeout(() => call.destroy(), leave);
      call.end(body);
    });
  }

  /** A file in a form, as browsers send it. */
  upload(
    path: string,
    name: string,
    type: string,
    file: Uint8Array,
    prefix = "",
    key?: string,
  ): Promise<Answer> {
    const boundary = randomUUID();
    const part = (head: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
    const bytes = Buffer.concat([
      Buffer.from(`${part('name="prefix"')}${prefix}\r\n`),
      Buffer.from(part(`name="file"; filename="${name}"\r\nContent-Type: ${type}`)),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const form = `multipart/form-data; boundary=${boundary}`;
    return this.send("POST", path, { bytes, type: form, ...(key === undefined ? {} : { key }) });
  }

  /** The answer to a call that has to succeed. */
  async made<T>(path: string, json: unknown, method = "POST"): Promise<T> {
    return read(path, await this.send(method, path, { json })) as T;
  }

  async got<T>(path: string): Promise<T> {
    return read(path, await this.send("GET", path)) as T;
  }
}

/** The content of an answer that has to be a success. */
export function read(path: string, { status, body }: Answer): unknown {
  const text = new TextDecoder().decode(body);
  if (status < 200 || status > 299) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
