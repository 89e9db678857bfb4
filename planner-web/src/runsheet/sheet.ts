import { ApiError, type Runsheet, type RunsheetJob, send, type Sending } from "@routewright/web";
import type { OutboxRecord } from "./outbox.ts";

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

  async send(path: string, sending: Sending = {}): Promise<Response> {
    const attempt = async (): Promise<Response> =>
      send(path, {
        ...sending,
        headers: { ...sending.headers, Authorization: `Token ${await this.token()}` },
      });
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.#sheetToken = null;
      return attempt();
    }
  }

  async load(): Promise<Runsheet> {
    return (await (await this.send("/v2/runsheet/")).json()) as Runsheet;
  }

  async upload(data: Blob, name: string): Promise<number> {
    const form = new FormData();
    form.append("file", data, name);
    const stored: unknown = await (
      await this.send("/v2/runsheet/upload/file", { method: "POST", body: form })
    ).json();
    if (typeof stored !== "object" || stored === null || !("id" in stored)) throw new ApiError(500, null);
    return Number(stored.id);
  }

  async deliver({ kind }: OutboxRecord, body: Record<string, unknown>): Promise<void> {
    const [method, path] = {
      start: ["PUT", "/v2/runsheet/start_route"],
      end: ["PUT", "/v2/runsheet/end_route"],
      job_proof: ["POST", `/runsheet/${encodeURIComponent(this.runToken)}/job_proofs`],
      unit_proof: ["POST", "/v2/runsheet/unit_proofs"],
      return_proof: ["POST", "/v2/runsheet/return_proofs"],
      container_proof: ["POST", "/v2/runsheet/container_proofs"],
      run_proof: ["POST", "/v2/runsheet/run_proofs"],
      checklist: ["POST", "/v2/runsheet/checklist_submissions"],
    }[kind] as ["PUT" | "POST", string];
    await this.send(path, { method, body });
  }
}

async function tradeToken(runToken: string): Promise<string> {
  const response = await send("/auth/runsheet_token", { method: "POST", body: { token_uid: runToken } });
  const answer = (await response.json()) as { runsheet_token: string };
  return answer.runsheet_token;
}

/** What the driver sees: the sheet with everything that still waits to be sent. */
export function withWaiting(sheet: Runsheet, waiting: readonly OutboxRecord[]): Runsheet {
  const pending = waiting.filter((record) => record.refusal === null);
  const start = pending.find(({ kind }) => kind === "start");
  const end = pending.find(({ kind }) => kind === "end");
  const started = textOf(start?.body["actual_start_time"]) ?? sheet.run.actual_start_time;
  const ended = textOf(end?.body["actual_end_time"]) ?? sheet.run.actual_end_time;
  return { ...sheet, run: { ...sheet.run, actual_start_time: started, actual_end_time: ended } };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** What became of a stop, on the server or on this phone; `null` while it is open. The latest record counts. */
export function resultOf(job: RunsheetJob, waiting: readonly OutboxRecord[]): "done" | "failed" | null {
  const sent = waiting.findLast(
    ({ kind, subjectId, refusal }) => kind === "job_proof" && subjectId === job.id && refusal === null,
  );
  if (sent !== undefined) return sent.body["success"] === false ? "failed" : "done";
  const [latest] = job.proofs
    .filter((proof) => proof.mode === null && proof.unit_id === null && proof.return_id === null)
    .toSorted((a, b) => b.record_time.localeCompare(a.record_time));
  if (latest === undefined) return null;
  return latest.success ? "done" : "failed";
}
