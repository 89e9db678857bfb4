import { describe, expect, it } from "vitest";
import { areEmails, isPhone, windowProblems } from "./checks.ts";
import { emailsText, requiredText, uidText } from "./schemas.ts";

describe("checks", () => {
  it("wants every address of a list to be one", () => {
    expect(areEmails("a@example.org, b@example.org")).toBe(true);
    expect(areEmails("a@example.org, ")).toBe(false);
    expect(emailsText.safeParse("not-an-address").success).toBe(false);
    expect(emailsText.safeParse("").success).toBe(true);
  });

  it("wants phones in international format", () => {
    expect(isPhone("+351220008000")).toBe(true);
    expect(isPhone("220008000")).toBe(false);
    expect(isPhone("+12")).toBe(false);
  });

  it("P-339 tells empty, blank and special apart", () => {
    expect(requiredText.safeParse("").error?.issues[0]?.message).toBe("This item is required");
    expect(requiredText.safeParse("  ").error?.issues[0]?.message).toBe("Value cannot be blank");
    expect(uidText.safeParse("<b>").error?.issues[0]?.message).toBe(
      "Value cannot contain special characters",
    );
  });

  it("names both ends of a turned-around window", () => {
    expect(windowProblems("10:00", "9 am")).toEqual({
      arrive_after: "Time should be before leave by (09:00)",
      leave_by: "Time should be after arrive after (10:00)",
    });
    expect(windowProblems("09:00", "09:00")).toEqual({});
    expect(windowProblems("", "09:00")).toEqual({});
  });
});
