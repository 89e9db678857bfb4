import { expect, it } from "vitest";
import { sizeWords } from "./size.ts";

it.each([
  ["boxes:3&weight:12", "boxes 3 · weight 12"],
  ["pallets:2|boxes:40", "pallets 2 or boxes 40"],
  ["5", "5"],
  ["", ""],
  [null, ""],
  ["not a size", "not a size"],
])("W-109: %s reads %s", (wire, words) => {
  expect(sizeWords(wire)).toBe(words);
});
