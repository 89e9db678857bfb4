import { texts } from "@routewright/web";
import { describe, expect, it } from "vitest";
import {
  aboveZero,
  amount,
  beforeLeaveBy,
  emailAddress,
  emailAddresses,
  endOdometer,
  internationalPhone,
  loosePhone,
  momentAfter,
  momentBefore,
  needed,
  notBlank,
  plainCharacters,
  size,
  startOdometer,
  withinShift,
} from "./validators.ts";

const none = {};

describe("validators (002 §5, 001 §5)", () => {
  it("A-291: e-mail addresses, single and comma-separated", () => {
    expect(emailAddress("a@b.com", none)).toBeUndefined();
    expect(emailAddress("a@b", none)).toBe("Invalid email address");
    expect(emailAddresses("a@b.com, c@d.org", none)).toBeUndefined();
    expect(emailAddresses("a@b.com, c", none)).toBe("Invalid email address");
    expect(emailAddress("", none)).toBeUndefined();
  });

  it("international phone numbers", () => {
    expect(internationalPhone("+61 412 345 678", none)).toBeUndefined();
    expect(internationalPhone("0412345678", none)).toMatch(
      /^Invalid phone number, must be international format/,
    );
  });

  it("A-292 W-089: numbers as people write them, where no message is sent to them", () => {
    for (const number of ["+351 220 000 001", "220-000-001", "112", ""]) {
      expect(loosePhone(number, none)).toBeUndefined();
    }
    for (const number of ["call us", "220 000 001 (office)", "---", "1+2"]) {
      expect(loosePhone(number, none)).toBe("Invalid phone number.");
    }
  });

  it("A-293 A-294: numbers: negative, too large, above zero", () => {
    expect(amount("12.5", none)).toBeUndefined();
    expect(amount(-1, none)).toBe("Value cannot be negative");
    expect(amount(1e9, none)).toBeUndefined();
    expect(amount(1e9 + 1, none)).toBe("Value must be less than 100000000");
    expect(amount("many", none)).toBe("Enter a numeric value");
    expect(aboveZero(0, none)).toBe("Value must be above 0");
  });

  it("A-295 A-296: blank and special characters", () => {
    expect(needed("Email is required")(undefined, none)).toBe("Email is required");
    expect(needed()("  ", none)).toBe("Field can't be empty");
    expect(notBlank("   ", none)).toBe("Field can't be empty");
    expect(notBlank("", none)).toBeUndefined();
    expect(plainCharacters("A<b>", none)).toBe("Field can't contain special characters");
    expect(plainCharacters("Zürich 12-b", none)).toBeUndefined();
  });

  it("the size grammar", () => {
    expect(size("pallets:2&weight:350|size:5", none)).toBeUndefined();
    expect(size("pallets:", none)).toBe("Value is not a valid size");
  });

  it("windows of jobs", () => {
    expect(beforeLeaveBy("10:00", { leave_by: "09:00" })).toBe("Time should be before leave by (09:00)");
    expect(beforeLeaveBy("08:00", { leave_by: "09:00" })).toBeUndefined();
  });

  it("breaks lie within the shift", () => {
    const shift = { shift_start: "09:00:00", shift_end: "17:00:00" };
    expect(withinShift(texts.runs.checks.breakEarliest)("08:59", shift)).toBe(
      "Break earliest start time must be between shift start and shift end",
    );
    expect(withinShift(texts.runs.checks.breakLatest)("17:00", shift)).toBeUndefined();
  });

  it("actual times and odometers are in order", () => {
    const times = { actual_start_time: "2026-01-02T10:00:00Z", actual_end_time: "2026-01-02T09:00:00Z" };
    expect(momentBefore("actual_end_time", "wrong")(times.actual_start_time, times)).toBe("wrong");
    expect(momentAfter("actual_start_time", "wrong")(times.actual_end_time, times)).toBe("wrong");
    const odometers = { start_odometer: 120, end_odometer: 100 };
    expect(startOdometer(120, odometers)).toBe("End odometer should be greater start odometer");
    expect(endOdometer(100, odometers)).toBe("End odometer should be greater start odometer");
    expect(endOdometer(130, odometers)).toBeUndefined();
  });
});
