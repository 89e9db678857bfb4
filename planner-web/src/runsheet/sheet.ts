import { ApiError, type Runsheet, send, type Sending } from "@routewright/web";
import { bodyOf, type KeptFile, type KeptRecord } from "./record.ts";

/** How long is waited for an answer, milliseconds: a network that hangs is none. */
const PATIENCE = { token: 8_000, sheet: 12_000, record: 20_000, file: 60_000 } as const;

/** The driver's connection to the office: trades the run's token for a run sheet token, and again when it expires. */
export class SheetConnection {
  readonly runToken: string;
  #sheetToken: Promise<string> | null = null;

  constructor(runToken: string) {
    this.runToken = runToken;
  }

  /** The run sheet token for calls that build their own request. */
  token(): Promise<string> {
    this.#sheetToken ??= tradeToken(this.runToken).catch((error: unknown) => {
      this.#sheetToken = null;
      throw error;
    });
    return this.#sheetToken;
  }

  async send(path: string, sending: Sending = {}, patience: number = PATIENCE.record): Promise<Response> {
    const attempt = async (): Promise<Response> => {
      const token = await this.token();
      return send(path, {
        ...sending,
        headers: { ...sending.headers, Authorization: `Token ${token}` },
        signal: AbortSignal.timeout(patience),
      });
    };
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.#sheetToken = null;
      return attempt();
    }
  }

  async load(): Promise<Runsheet> {
    return (await (await this.send("/v2/runsheet/", {}, PATIENCE.sheet)).json()) as Runsheet;
  }

  /** Brings a file; the same one again, because its answer was lost, is the same file. */
  async upload(record: KeptRecord, { data, name }: KeptFile, index: number): Promise<number> {
    const form = new FormData();
    form.append("file", data, name);
    const bring = (headers: Record<string, string>): Promise<Response> =>
      this.send("/v2/runsheet/upload/file", { method: "POST", body: form, headers }, PATIENCE.file);
    let response: Response;
    try {
      response = await bring({ "Idempotency-Key": `${record.id}-${index}` });
    } catch (error) {
      // It is there, but nobody can say under which id any more.
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      response = await bring({});
    }
    const stored: unknown = await response.json();
    if (typeof stored !== "object" || stored === null || !("id" in stored)) throw new ApiError(500, null);
    return Number(stored.id);
  }

  /** Whether a PIN is the customer's; yes where nobody can tell: it is compared again when the record arrives. */
  async isPin(jobId: number, pin: string): Promise<boolean> {
    try {
      const body = { job_id: jobId, pin };
      const response = await this.send("/v2/runsheet/pin", { method: "POST", body }, PATIENCE.token);
      return ((await response.json()) as { ok: boolean }).ok;
    } catch {
      return true;
    }
  }

  async deliver(record: KeptRecord): Promise<void> {
    const body = bodyOf(record, new Date());
    await this.send("/v2/runsheet/records", { method: "POST", body });
  }
}

async function tradeToken(runToken: string): Promise<string> {
  const response = await send("/auth/runsheet_token", {
    method: "POST",
    body: { token_uid: runToken },
    signal: AbortSignal.timeout(PATIENCE.token),
  });
  const answer = (await response.json()) as { runsheet_token: string };
  return answer.runsheet_token;
}
