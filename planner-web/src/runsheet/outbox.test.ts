import { ApiError } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { Outbox } from "./outbox.ts";
import type { KeptRecord } from "./record.ts";

function record(id: string, files: KeptRecord["files"] = []): KeptRecord {
  return {
    id,
    sheet: "token",
    kind: "stop",
    what: id,
    capturedAt: `2026-11-23T08:00:0${id.length}.000Z`,
    jobId: 1,
    content: {},
    files,
    sentAt: null,
    problem: null,
  };
}

const photo = { field: "photo_ids", name: "a.jpg", data: new Blob(["x"]), storedId: null, refusal: null };

/** A phone whose storage outlives its windows, and an office that can be out of reach. */
function phone() {
  const state = {
    stored: new Map<string, KeptRecord>(),
    locked: false,
    online: true,
    refuse: new Set<string>(),
    badFile: "",
    uploads: 0,
    delivered: [] as KeptRecord[],
  };
  const gone = (): Promise<never> => Promise.reject(new ApiError(0, null));
  const no = (): Promise<never> => Promise.reject(new ApiError(400, { description: "Not like this" }));
  const window = (): Outbox =>
    new Outbox({
      read: () => Promise.resolve([...state.stored.values()]),
      put: (one) => {
        state.stored.set(one.id, one);
        return Promise.resolve();
      },
      change: (id, part) => {
        const one = state.stored.get(id);
        if (one !== undefined) state.stored.set(id, part(one));
        return Promise.resolve();
      },
      upload: (_record, { name }) => {
        if (!state.online) return gone();
        if (name === state.badFile) return no();
        state.uploads += 1;
        return Promise.resolve(100 + state.uploads);
      },
      deliver: (one) => {
        if (!state.online) return gone();
        if (state.refuse.has(one.id)) return no();
        state.delivered.push(one);
        return Promise.resolve();
      },
      exclusively: async (work) => {
        if (state.locked) return null;
        state.locked = true;
        try {
          return await work();
        } finally {
          state.locked = false;
        }
      },
      changed: () => undefined,
    });
  return { state, window };
}

const ids = (records: readonly KeptRecord[]): string[] => records.map(({ id }) => id);
const waiting = (stored: Map<string, KeptRecord>): string[] =>
  ids([...stored.values()].filter(({ sentAt }) => sentAt === null));

describe("Outbox", () => {
  it("W-040: keeps what two windows record without a connection, and sends all of it once, in order", async () => {
    const { state, window } = phone();
    state.online = false;
    const [one, two] = [window(), window()];
    await Promise.all([one.add(record("a")), two.add(record("bb"))]);
    expect(await one.flush()).toMatchObject({ kind: "waiting" });
    expect(waiting(state.stored)).toEqual(["a", "bb"]);
    state.online = true;
    const [first, second] = await Promise.all([window().flush(), window().flush()]);
    expect([first.kind, second.kind].toSorted()).toEqual(["done", "elsewhere"]);
    expect(ids(state.delivered)).toEqual(["a", "bb"]);
    expect(waiting(state.stored)).toEqual([]);
  });

  it("does not bring a file twice when the record itself has to be sent again", async () => {
    const { state, window } = phone();
    const outbox = window();
    state.refuse.add("a");
    await outbox.add(record("a", [photo, photo]));
    expect(await outbox.flush()).toEqual({ kind: "refused", message: "Not like this" });
    expect(state.uploads).toBe(2);
    state.refuse.clear();
    expect(await window().flush()).toEqual({ kind: "done", sent: 1 });
    expect(state.uploads).toBe(2);
    expect(state.delivered[0]?.files.map(({ storedId }) => storedId)).toEqual([101, 102]);
  });

  it("W-045: one bad photo never costs the rest", async () => {
    const { state, window } = phone();
    state.badFile = "bad.jpg";
    const outbox = window();
    await outbox.add(record("a", [{ ...photo, name: "bad.jpg" }, photo]));
    expect(await outbox.flush()).toEqual({ kind: "done", sent: 1 });
    expect(state.delivered[0]?.files.map(({ refusal }) => refusal)).toEqual(["Not like this", null]);
  });

  it("W-041: shows a refusal, goes on with the others and tries it again", async () => {
    const { state, window } = phone();
    state.refuse.add("a");
    const outbox = window();
    await outbox.add(record("a"));
    await outbox.add(record("bb"));
    await outbox.flush();
    expect(ids(state.delivered)).toEqual(["bb"]);
    expect(state.stored.get("a")?.problem).toBe("Not like this");
    state.refuse.clear();
    await outbox.flush();
    expect(ids(state.delivered)).toEqual(["bb", "a"]);
  });
});
