import { ApiError } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { bodyWithFiles, Outbox, type OutboxRecord } from "./outbox.ts";

function record(id: string, files: OutboxRecord["files"] = []): OutboxRecord {
  return { id, what: id, kind: "job_proof", subjectId: 1, body: { job_id: 1 }, files, refusal: null };
}

const photo = { field: "photo_ids", name: "a.jpg", data: new Blob(["x"]), storedId: null };

/** A phone whose storage outlives the page, and an office that can be out of reach. */
function phone() {
  const state = {
    stored: [] as OutboxRecord[],
    online: true,
    refuse: new Set<string>(),
    uploads: 0,
    delivered: [] as { id: string; body: Record<string, unknown> }[],
  };
  const open = () =>
    new Outbox({
      load: () => Promise.resolve(state.stored),
      save: (records) => {
        state.stored = records;
        return Promise.resolve();
      },
      upload: () => {
        if (!state.online) return Promise.reject(new ApiError(0, null));
        state.uploads += 1;
        return Promise.resolve(100 + state.uploads);
      },
      deliver: ({ id }, body) => {
        if (!state.online) return Promise.reject(new ApiError(0, null));
        if (state.refuse.has(id))
          return Promise.reject(new ApiError(400, { description: "Run already started" }));
        state.delivered.push({ id, body });
        return Promise.resolve();
      },
      onChange: () => undefined,
      onDelivered: () => undefined,
    });
  return { state, open };
}

const ids = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

describe("Outbox", () => {
  it("keeps records without a connection and sends them in order later, also after a reload", async () => {
    const { state, open } = phone();
    state.online = false;
    const outbox = open();
    await outbox.add(record("a"));
    await outbox.add(record("b"));
    await outbox.flush();
    expect(ids(state.stored)).toEqual(["a", "b"]);
    state.online = true;
    const reopened = open();
    await reopened.open();
    expect(ids(state.delivered)).toEqual(["a", "b"]);
    expect(state.stored).toEqual([]);
  });

  it("does not upload a file twice when the record itself has to be sent again", async () => {
    const { state, open } = phone();
    const outbox = open();
    state.refuse.add("nobody");
    await outbox.add(record("a", [photo, photo]));
    await outbox.flush();
    expect(state.uploads).toBe(2);
    expect(state.delivered[0]?.body).toEqual({ job_id: 1, photo_ids: [101, 102] });
    state.stored = [record("b", [{ ...photo, storedId: 7 }])];
    await open().open();
    expect(state.uploads).toBe(2);
    expect(state.delivered[1]?.body).toEqual({ job_id: 1, photo_ids: [7] });
  });

  it("shows a refusal and goes on with the others", async () => {
    const { state, open } = phone();
    state.refuse.add("a");
    const outbox = open();
    await outbox.add(record("a"));
    await outbox.add(record("b"));
    await outbox.flush();
    expect(ids(state.delivered)).toEqual(["b"]);
    expect(outbox.records[0]).toMatchObject({ id: "a", refusal: "Run already started" });
    await outbox.discard("a");
    expect(state.stored).toEqual([]);
  });

  it("puts files of checklists into their values", () => {
    const file = (field: string, storedId: number) => ({ ...photo, field, storedId });
    const checklist = {
      ...record("c"),
      body: { values: { f1: "true" } },
      files: [file("values.f2", 5), file("values.f2", 6), file("signature_id", 7)],
    };
    expect(bodyWithFiles(checklist)).toEqual({ values: { f1: "true", f2: "5,6" }, signature_id: 7 });
  });
});
