import { describe, expect, it } from "vitest";
import { ApiError } from "./error.ts";
import type { Sending } from "./send.ts";
import { submit } from "./submit.ts";

const job = (uid: string): Sending => ({ method: "POST", body: { uid } });
/** The key under which a call goes out; `answer` says how it ends. */
async function keyOf(path: string, sending: Sending, answer: () => void = () => undefined) {
  let key: string | undefined;
  await submit(path, sending, (marked) => {
    key = marked.headers?.["Idempotency-Key"];
    answer();
    return Promise.resolve();
  }).catch(() => undefined);
  return key;
}
const fails = (status: number) => () => {
  throw new ApiError(status, null);
};

describe("creating submits", () => {
  it("have a key of their own each", async () => {
    const first = await keyOf("/jobs", job("A"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await keyOf("/jobs", job("A"))).not.toBe(first);
  });

  it("keep their key while there is no answer, so that nothing is created twice", async () => {
    const lost = await keyOf("/jobs", job("B"), fails(0));
    expect(await keyOf("/jobs", job("C"))).not.toBe(lost);
    expect(await keyOf("/jobs", job("B"), fails(503))).toBe(lost);
    expect(await keyOf("/jobs", job("B"))).toBe(lost);
    expect(await keyOf("/jobs", job("B"))).not.toBe(lost);
  });

  it("have a fresh key after a refusal", async () => {
    const refused = await keyOf("/jobs", job("D"), fails(400));
    expect(await keyOf("/jobs", job("D"))).not.toBe(refused);
  });

  it("are the only calls with a key", async () => {
    expect(await keyOf("/jobs/1", { method: "PATCH", body: { uid: "A" } })).toBeUndefined();
    expect(await keyOf("/files/upload", { method: "POST", body: new FormData() })).toBeUndefined();
    for (const path of [
      "/runs/dispatch",
      "/optimise/scenarios/1",
      "/auth/runsheet_token",
      "/users/login",
      "/users/me/email",
    ]) {
      expect(await keyOf(path, job("A"))).toBeUndefined();
    }
    for (const path of ["/jobs/template_upload", "/users", "/organisations"]) {
      expect(await keyOf(path, job("A"))).toBeDefined();
    }
  });
});
