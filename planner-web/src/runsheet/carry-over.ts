import { type IDBPDatabase, openDB } from "idb";
import type { KeptSheet, Phone } from "./kept-model.ts";
import { type OldRecord, recordsOfOldQueue } from "./old-queue.ts";

/** Where older versions kept everything. */
const OLD = { database: "keyval-store", store: "keyval" } as const;
const QUEUE = "outbox:";
const SHEET = "runsheet:";
const DRAFT = "draft:";

/**
 * Takes over what an older version of the page left on this phone. It is removed there once it is safe here, so that it
 * may be interrupted anywhere; a record that two windows take over is one record, by its id.
 */
export async function carryOver(to: IDBPDatabase<Phone>): Promise<void> {
  const from = await openOld();
  if (from === null) return;
  try {
    for (const key of (await from.getAllKeys(OLD.store)).map(String)) {
      const value: unknown = await from.get(OLD.store, key);
      if (key.startsWith(QUEUE)) await carryQueue(from, to, key, value as OldRecord[]);
      else if (key.startsWith(SHEET))
        await carryOnce(from, to, "sheets", key, key.slice(SHEET.length), value);
      else if (key.startsWith(DRAFT)) {
        // A form of a stop without an earlier record.
        await carryOnce(from, to, "drafts", key, `${key.slice(DRAFT.length)}:`, value);
      }
    }
  } finally {
    from.close();
  }
}

/** The old database; `null` where there is none, and none is made. */
async function openOld(): Promise<IDBPDatabase | null> {
  try {
    const database = await openDB(OLD.database, undefined, {
      upgrade(_database, _before, _version, transaction) {
        transaction.done.catch(() => undefined);
        transaction.abort();
      },
    });
    if (database.objectStoreNames.contains(OLD.store)) return database;
    database.close();
    return null;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}

async function carryQueue(
  from: IDBPDatabase,
  to: IDBPDatabase<Phone>,
  key: string,
  queue: readonly OldRecord[],
): Promise<void> {
  const writing = to.transaction("records", "readwrite", { durability: "strict" });
  for (const record of recordsOfOldQueue(key.slice(QUEUE.length), queue, new Date())) {
    if ((await writing.store.get(record.id)) === undefined) await writing.store.put(record);
  }
  await writing.done;
  // What a window of the older version has added meanwhile waits for the next start.
  const carried = new Set(queue.map(({ id }) => id));
  const clearing = from.transaction(OLD.store, "readwrite");
  const now = ((await clearing.store.get(key)) ?? []) as OldRecord[];
  const left = now.filter(({ id }) => !carried.has(id));
  if (left.length === 0) await clearing.store.delete(key);
  else await clearing.store.put(left, key);
  await clearing.done;
}

async function carryOnce(
  from: IDBPDatabase,
  to: IDBPDatabase<Phone>,
  store: "sheets" | "drafts",
  key: string,
  name: string,
  value: unknown,
): Promise<void> {
  const writing = to.transaction(store, "readwrite");
  if ((await writing.store.get(name)) === undefined) await writing.store.put(value as KeptSheet, name);
  await writing.done;
  await from.delete(OLD.store, key);
}
