import { ApiError } from "@routewright/web";
import type { KeptFile, KeptRecord } from "./record.ts";

/** What an attempt to send came to. */
export type Outcome =
  /** Nothing waits any more; `sent` records went now. */
  | { kind: "done"; sent: number }
  /** Another window of this phone is sending. */
  | { kind: "elsewhere" }
  /** The office could not be reached or could not work; the rest waits. */
  | { kind: "waiting"; error: ApiError }
  /** The office answered to some that it cannot take them; they stay. */
  | { kind: "refused"; message: string };

export interface OutboxPorts {
  read: () => Promise<KeptRecord[]>;
  put: (record: KeptRecord) => Promise<void>;
  change: (id: string, part: (record: KeptRecord) => KeptRecord) => Promise<void>;
  upload: (record: KeptRecord, file: KeptFile, index: number) => Promise<number>;
  deliver: (record: KeptRecord) => Promise<void>;
  /** Does the work unless another window does such work; `null` then. */
  exclusively: (work: () => Promise<Outcome>) => Promise<Outcome | null>;
  /** Something of the records has changed. */
  changed: () => void;
}

/**
 * Brings what was recorded to the office, in the order in which it was made, each record whole. What the phone keeps is
 * the truth: any number of windows may be open, closed or killed at any moment. Sending again what has arrived changes
 * nothing, because the office knows records and files by the ids that they were given here.
 */
export class Outbox {
  readonly #ports: OutboxPorts;
  #running: Promise<Outcome> | null = null;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /** Keeps a record. When this resolves it is safe on the phone. */
  async add(record: KeptRecord): Promise<void> {
    await this.#ports.put(record);
    this.#ports.changed();
  }

  /** Sends what waits. Ends at the first record that finds no connection. */
  flush(): Promise<Outcome> {
    this.#running ??= this.#ports
      .exclusively(() => this.#send())
      .then((outcome) => outcome ?? ({ kind: "elsewhere" } as const))
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  async #send(): Promise<Outcome> {
    const refused = new Map<string, string>();
    let sent = 0;
    for (;;) {
      const records = await this.#ports.read();
      const next = records.find(({ id, sentAt }) => sentAt === null && !refused.has(id));
      if (next === undefined) break;
      try {
        await this.#ports.deliver(await this.#withFiles(next));
        // The pictures are in the office; the rest stays until a newer sheet shows it.
        await this.#ports.change(next.id, (record) => ({
          ...record,
          files: [],
          sentAt: Date.now(),
          problem: null,
        }));
        sent += 1;
      } catch (error) {
        const told = error instanceof ApiError ? error : new ApiError(0, null);
        if (!isRefusal(told)) return { kind: "waiting", error: told };
        refused.set(next.id, told.message);
        await this.#ports.change(next.id, (record) => ({ ...record, problem: told.message }));
      }
      this.#ports.changed();
    }
    const [message] = refused.values();
    return message === undefined ? { kind: "done", sent } : { kind: "refused", message };
  }

  /** Brings the files of a record. One that the office does not take never costs the rest. */
  async #withFiles(record: KeptRecord): Promise<KeptRecord> {
    let current = record;
    for (const [index, file] of record.files.entries()) {
      if (file.storedId !== null || file.refusal !== null) continue;
      const brought = await this.#bring(record, file, index);
      const part = (other: KeptRecord): KeptRecord => ({
        ...other,
        files: other.files.map((one, at) => (at === index ? { ...one, ...brought } : one)),
      });
      current = part(current);
      await this.#ports.change(record.id, part);
    }
    return current;
  }

  async #bring(record: KeptRecord, file: KeptFile, index: number): Promise<Partial<KeptFile>> {
    try {
      return { storedId: await this.#ports.upload(record, file, index) };
    } catch (error) {
      if (!(error instanceof ApiError) || !isRefusal(error)) throw error;
      return { refusal: error.message };
    }
  }
}

/** Answers that trying again at once would not change. A link that has expired may be sent anew. */
function isRefusal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && ![401, 408, 409, 425, 429].includes(status);
}
