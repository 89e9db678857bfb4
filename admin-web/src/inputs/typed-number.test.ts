import { texts } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { typedNumber } from "./typed-number.ts";
import { aNumber, amount, between } from "./validators.ts";

describe("typed numbers (W-090)", () => {
  it.each([
    ["1,5", 1.5],
    ["1.5", 1.5],
    [" -0,25 ", -0.25],
    ["0,125", 0.125],
    ["1234,567", 1234.567],
    ["41.153", 41.153],
    ["", null],
    ["  ", null],
  ])("%j is %j", (text, value) => {
    expect(typedNumber(text)).toBe(value);
  });

  it.each(["1,234", "12,500", "1.234,5", "1,234.5", "1,2,3", "five"])("%j stays as it was typed", (text) => {
    expect(typedNumber(text)).toBe(text);
    expect(aNumber(text, {})).toBeTruthy();
    expect(amount(text, {})).toBeTruthy();
    expect(between(0, 10_000)(text, {})).toBeTruthy();
  });

  it("says what is not clear about a number", () => {
    expect(aNumber("1,234", {})).toBe(texts.checks.ambiguousNumber);
    expect(aNumber("five", {})).toBe(texts.checks.numeric);
    expect(aNumber("1.5", {})).toBeUndefined();
  });
});
