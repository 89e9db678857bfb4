import { ApiError } from "@routewright/web";

/** What a driver recorded and the server does not have yet. */
export interface OutboxRecord {
  id: string;
  /** What the driver calls it, for messages. */
  what: string;
  kind:
    | "start"
    | "end"
    | "job_proof"
    | "unit_proof"
    | "return_proof"
    | "container_proof"
    | "run_proof"
    | "checklist";
  /** Job, unit or return that it is about. */
  subjectId: number | null;
  body: Record<string, unknown>;
  files: OutboxFile[];
  /** Why the server refused it; such a record is not sent again. */
  refusal: string | null;
}

export interface OutboxFile {
  /** `photo_ids` and `images` gather ids, every other field holds one. */
  field: string;
  name: string;
  data: Blob;
  /** Id on the server once it is uploaded, so that a retry does not upload it again. */
  storedId: number | null;
}

export interface OutboxPorts {
  load: () => Promise<OutboxRecord[]>;
  save: (records: OutboxRecord[]) => Promise<void>;
  upload: (file: OutboxFile) => Promise<number>;
  deliver: (record: OutboxRecord, body: Record<string, unknown>) => Promise<void>;
  onChange: (records: readonly OutboxRecord[]) => void;
  onDelivered: (record: OutboxRecord) => void;
}

/**
 * Keeps records on the phone until the server has them. They are sent in the order in which they were made;
 * without a connection the queue waits and tries again, a refusal is shown and does not hold up the others.
 */
export class Outbox {
  readonly #ports: OutboxPorts;
  #records: OutboxRecord[] = [];
  #running: Promise<void> | null = null;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  get records(): readonly OutboxRecord[] {
    return this.#records;
  }

  /** Takes over what an earlier visit left. */
  async open(): Promise<void> {
    this.#records = await this.#ports.load();
    this.#ports.onChange(this.#records);
    await this.flush();
  }

  async add(record: OutboxRecord): Promise<void> {
    await this.#change([...this.#records, record]);
    void this.flush();
  }

  async discard(id: string): Promise<void> {
    await this.#change(this.#records.filter((record) => record.id !== id));
  }

  /** Sends what waits. Ends at the first record that finds no connection. */
  flush(): Promise<void> {
    this.#running ??= this.#send().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #send(): Promise<void> {
    for (;;) {
      const next = this.#records.find((record) => record.refusal === null);
      if (next === undefined) return;
      try {
        const body = await this.#withFiles(next);
        await this.#ports.deliver(next, body);
      } catch (error) {
        if (!isRefusal(error)) return;
        await this.#replace({ ...next, refusal: error.message });
        continue;
      }
      await this.#change(this.#records.filter((record) => record.id !== next.id));
      this.#ports.onDelivered(next);
    }
  }

  /** Uploads the files of a record and puts their ids into its body. */
  async #withFiles(record: OutboxRecord): Promise<Record<string, unknown>> {
    let current = record;
    for (const [index, file] of record.files.entries()) {
      if (file.storedId !== null) continue;
      const storedId = await this.#ports.upload(file);
      current = {
        ...current,
        files: current.files.map((other, at) => (at === index ? { ...other, storedId } : other)),
      };
      await this.#replace(current);
    }
    return bodyWithFiles(current);
  }

  #replace(record: OutboxRecord): Promise<void> {
    return this.#change(this.#records.map((other) => (other.id === record.id ? record : other)));
  }

  async #change(records: OutboxRecord[]): Promise<void> {
    this.#records = records;
    this.#ports.onChange(records);
    await this.#ports.save(records);
  }
}

/** The body with the ids of its uploaded files. */
export function bodyWithFiles({ body, files }: OutboxRecord): Record<string, unknown> {
  const result = { ...body };
  for (const { field, storedId } of files) {
    if (field === "photo_ids") result[field] = [...((result[field] as number[] | undefined) ?? []), storedId];
    else if (field.startsWith("values.")) {
      const name = field.slice("values.".length);
      const values = { ...(result["values"] as Record<string, string> | undefined) };
      const before = values[name];
      values[name] = before === undefined || before === "" ? String(storedId) : `${before},${storedId}`;
      result["values"] = values;
    } else result[field] = storedId;
  }
  return result;
}

/** Answers that trying again would not change. */
function isRefusal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![401, 408, 425, 429].includes(error.status)
  );
}
