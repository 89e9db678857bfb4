import { describe, expect, it } from "vitest";
import { heardAt, type RunContact, unconfirmedText } from "./contact.ts";

const stop = { job_id: 1, uid: "J1", name: "J1", seq: 1, eta: null, eta_before: null };

describe("the contact with a phone", () => {
  it("counts whatever was heard last, and only while the route is driven", () => {
    const at = (minute: string): string => `2026-11-23T08:${minute}:00Z`;
    const run = { actual_start_time: at("00"), actual_end_time: null };
    const contact = { last_at: at("10") };
    const heard = (...of: Parameters<typeof heardAt>): string | null => {
      const time = heardAt(...of);
      return time === null ? null : new Date(time).toISOString().slice(14, 16);
    };
    expect(heard(run, null, [], [])).toBe("00");
    expect(heard(run, contact, [], [{ proof_time: null }])).toBe("10");
    expect(heard(run, contact, [{ recorded_at: at("12") }], [{ proof_time: at("05") }])).toBe("12");
    expect(heard(run, contact, [], [{ proof_time: at("15") }])).toBe("15");
    expect(heard({ ...run, actual_end_time: at("20") }, contact, [], [])).toBeNull();
    expect(heard({ ...run, actual_start_time: null }, contact, [], [])).toBeNull();
  });

  it("says in one line what the driver has not confirmed", () => {
    const kinds = ["moved", "added", "moved", "removed"] as const;
    const unconfirmed: RunContact["unconfirmed"] = kinds.map((kind) => ({ ...stop, kind }));
    expect(unconfirmedText({ unconfirmed })).toBe("1 added, 2 moved, 1 removed");
    expect(unconfirmedText({ unconfirmed: [] })).toBe("");
  });
});
