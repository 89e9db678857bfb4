import { type IDBPDatabase, openDB } from "idb";
import { carryOver } from "./carry-over.ts";
import type { Phone } from "./kept-model.ts";
import type { KeptRecord } from "./record.ts";

let opened: Promise<IDBPDatabase<Phone>> | null = null;

/** What this phone keeps; throws where the browser keeps nothing. */
export function kept(): Promise<IDBPDatabase<Phone>> {
  opened ??= openDB<Phone>("runsheet", 1, {
    upgrade(database) {
      database.createObjectStore("records", { keyPath: "id" }).createIndex("sheet", "sheet");
      database.createObjectStore("sheets");
      database.createObjectStore("drafts");
    },
    // A newer version in another window waits for nobody.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
    terminated() {
      opened = null;
    },
  })
    .then(async (database) => {
      await carryOver(database).catch((error: unknown) => {
        console.warn("What an older version left is not taken over.", error);
      });
      return database;
    })
    .catch((error: unknown) => {
      opened = null;
      throw error;
    });
  return opened;
}

/** Token of the sheet that this phone had last: the installed page is opened without one. */
export async function lastSheet(): Promise<string> {
  let cursor = await (await kept()).transaction("sheets").store.openCursor();
  let last = { token: "", at: 0 };
  while (cursor !== null) {
    if (cursor.value.at > last.at) last = { token: cursor.key, at: cursor.value.at };
    cursor = await cursor.continue();
  }
  return last.token;
}

/** The records of a sheet in the order in which they were made. */
export async function recordsOf(sheet: string): Promise<KeptRecord[]> {
  const records = await (await kept()).getAllFromIndex("records", "sheet", sheet);
  return records.sort((a, b) => a.capturedAt.localeCompare(b.capturedAt) || a.id.localeCompare(b.id));
}

/** Writes a record; resolves when it would survive the end of the page. */
export async function putRecord(record: KeptRecord): Promise<void> {
  const transaction = (await kept()).transaction("records", "readwrite", { durability: "strict" });
  await transaction.store.put(record);
  await transaction.done;
}

/** Changes a record that is still there, whatever other windows do with it meanwhile. */
export async function changeRecord(id: string, part: (record: KeptRecord) => KeptRecord): Promise<void> {
  const transaction = (await kept()).transaction("records", "readwrite", { durability: "strict" });
  const record = await transaction.store.get(id);
  if (record !== undefined) await transaction.store.put(part(record));
  await transaction.done;
}

export async function removeRecord(id: string): Promise<void> {
  await (await kept()).delete("records", id);
}
