import { expect, it } from "vitest";
import { placeOfZone } from "./zone-place.ts";

it("W-115 a new organisation looks at its own part of the world", async () => {
  expect(await placeOfZone("Europe/Lisbon")).toEqual({ lat: 38.7, lon: -9.1 });
  expect(await placeOfZone("Australia/Melbourne")).toEqual({ lat: -37.8, lon: 145 });
  expect(await placeOfZone("UTC")).toBeNull();
});
