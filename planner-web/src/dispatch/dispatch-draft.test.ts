import type { Run } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { contactChanges, draftOf, firstMethod, isComplete } from "./dispatch-draft.ts";

function run(part: Partial<Run> = {}, driver: Partial<Run["driver"]> = {}): Run {
  return {
    id: 1,
    uid: "R1",
    preferred_method: "email",
    email: null,
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
  it("starts with the method of the run", () => {
    expect(firstMethod(run({ preferred_method: "qr_code" }), "sms")).toBe("qrcode");
    expect(firstMethod(run({ preferred_method: "sms" }), "email")).toBe("sms");
  });

  it("needs the contact of its method", () => {
    const draft = draftOf(run(), "email");
    expect(isComplete(draft)).toBe(true);
    expect(isComplete({ ...draft, email: "a@example.org, nobody" })).toBe(false);
    expect(isComplete({ ...draft, method: "sms", phone: "220008000" })).toBe(false);
    expect(isComplete({ ...draft, method: "sms", phone: "+351220008000" })).toBe(true);
    expect(isComplete({ ...draft, method: "qrcode", email: "" })).toBe(true);
  });

  it("saves only changed and valid contact data to the drivers", () => {
    const draft = draftOf(run(), "email");
    expect(contactChanges([draft], [run()])).toEqual([]);
    expect(contactChanges([{ ...draft, email: "new@example.org", method: "qrcode" }], [run()])).toEqual([
      { id: 7, email: "new@example.org", phone_number: null, preferred_method: "email" },
    ]);
    expect(contactChanges([{ ...draft, email: "broken" }], [run()])).toEqual([]);
  });
});
