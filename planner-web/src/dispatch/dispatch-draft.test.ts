import type { Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { contactChanges, draftOf, firstMethod, isComplete } from "./dispatch-draft.ts";

function run(part: Partial<Run> = {}, driver: Partial<Run["driver"]> = {}): Run {
  return {
    id: 1,
    uid: "R1",
    preferred_method: "email",
    email: "d@example.org",
    phone_number: null,
    driver: {
      id: 7,
      uid: "D1",
      email: "d@example.org",
      phone_number: null,
      preferred_method: "email",
      ...driver,
    },
    ...part,
  } as Run;
}

describe("dispatch", () => {
  it("X-236 starts with the method of the run", () => {
    expect(firstMethod(run({ preferred_method: "qr_code" }), "sms")).toBe("qrcode");
    expect(firstMethod(run({ preferred_method: "sms" }), "email")).toBe("sms");
  });

  it("X-425 X-426 needs the contact of its method", () => {
    const draft = draftOf(run(), "email");
    expect(isComplete(draft)).toBe(true);
    expect(isComplete({ ...draft, email: "a@example.org, nobody" })).toBe(false);
    expect(isComplete({ ...draft, method: "sms", phone: "220008000" })).toBe(false);
    expect(isComplete({ ...draft, method: "sms", phone: "+351220008000" })).toBe(true);
    expect(isComplete({ ...draft, method: "qrcode", email: "" })).toBe(true);
  });

  it("X-327 saves only changed and valid contact data, to the driver", () => {
    const draft = draftOf(run(), "email");
    const changes = (part: Partial<typeof draft>) =>
      contactChanges([{ ...draft, ...part }], [run()], "email");
    expect(changes({})).toEqual({ drivers: [], runs: [] });
    expect(changes({ email: "new@example.org", method: "qrcode" })).toEqual({
      drivers: [{ id: 7, email: "new@example.org", phone_number: null, preferred_method: "email" }],
      runs: [],
    });
    expect(changes({ method: "sms", phone: "+351220008000" }).drivers).toEqual([
      { id: 7, email: "d@example.org", phone_number: "+351220008000", preferred_method: "sms" },
    ]);
    expect(changes({ email: "broken" })).toEqual({ drivers: [], runs: [] });
  });

  it("X-327 leaves a run's own address to the run, and changes it there", () => {
    const own = run({ email: "van@example.org" });
    const draft = draftOf(own, "email");
    expect(draft.email).toBe("van@example.org");
    expect(contactChanges([draft], [own], "email")).toEqual({ drivers: [], runs: [] });
    expect(contactChanges([{ ...draft, email: "b@example.org" }], [own], "email")).toEqual({
      drivers: [],
      runs: [{ id: 1, email: "b@example.org" }],
    });
  });
});
