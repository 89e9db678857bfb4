import { expect, test } from "vitest";
import { amountOf, deliveredSize, plannedOf, typedOf, wrongAmounts } from "./amounts.ts";

const planned = plannedOf("boxes:5&weight:12.5|pallets:1");

test("what is planned is the first alternative", () => {
  expect(planned).toEqual({ boxes: 5, weight: 12.5 });
  expect(plannedOf(null)).toEqual({});
  expect(plannedOf("many")).toEqual({});
});

test("only what was not all is told", () => {
  expect(deliveredSize(planned, {})).toBeNull();
  expect(deliveredSize(planned, { boxes: "5", weight: "12,5" })).toBeNull();
  expect(deliveredSize(planned, { boxes: "4" })).toBe("boxes:4&weight:12.5");
  expect(deliveredSize(planned, { boxes: "0", weight: "0" })).toBe("boxes:0&weight:0");
  expect(deliveredSize(plannedOf("7"), { size: "6" })).toBe("6");
});

test("an amount is a number up to the planned one", () => {
  for (const text of ["", " ", "-1", "6", "1.2345", "five", "1e1"]) expect(amountOf(text, 5)).toBeNull();
  expect(amountOf(" 4,5 ", 5)).toBe(4.5);
  expect(wrongAmounts(planned, { boxes: "6", weight: "x" })).toEqual(["boxes", "weight"]);
  expect(deliveredSize(planned, { boxes: "6" })).toBeNull();
});

test("a correction begins with what was recorded", () => {
  expect(typedOf("boxes:4&weight:12.5")).toEqual({ boxes: "4", weight: "12.5" });
  expect(typedOf(null)).toEqual({});
});
