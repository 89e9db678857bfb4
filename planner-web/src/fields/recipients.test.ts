import { describe, expect, it } from "vitest";
import { EMAILS, PHONES, takeEntries } from "./recipients.ts";

describe("lists of recipients", () => {
  it("X-431 X-433 add entries that comma or space end", () => {
    expect(takeEntries("", "a@example.org,", EMAILS)).toEqual({ list: "a@example.org", rest: "" });
    expect(takeEntries("a@example.org", "b@example.org ", EMAILS)).toEqual({
      list: "a@example.org, b@example.org",
      rest: "",
    });
    expect(takeEntries("", "a@example.org b@example.org,a@example.org", EMAILS).list).toBe(
      "a@example.org, b@example.org",
    );
    expect(takeEntries("", "+351220008000, +351220008001 ", PHONES).list).toBe(
      "+351220008000, +351220008001",
    );
    expect(takeEntries("", "+351 220 008 000", PHONES).list).toBe("+351 220 008 000");
  });

  it("X-432 do not add what is not valid, and leave it in the field", () => {
    expect(takeEntries("a@example.org", "nobody ", EMAILS)).toEqual({
      list: "a@example.org",
      rest: "nobody",
    });
    expect(takeEntries("", "b@example.org nobody,", EMAILS)).toEqual({
      list: "",
      rest: "b@example.org nobody",
    });
    expect(takeEntries("", "12,", PHONES)).toEqual({ list: "", rest: "12" });
    expect(takeEntries("a@example.org", " , ", EMAILS)).toEqual({ list: "a@example.org", rest: "" });
  });

  it("A-310 keep what the list held before, even if it would not be added now", () => {
    expect(takeEntries("old address", "a@example.org ", EMAILS).list).toBe("old address, a@example.org");
  });
});
