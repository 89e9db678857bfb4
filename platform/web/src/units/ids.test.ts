import { describe, expect, it } from "vitest";
import { newId, randomUid } from "./ids.ts";

describe("ids made in the browser", () => {
  it("are made without crypto.randomUUID, which pages without encryption do not have", () => {
    expect(newId()).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(Array.from({ length: 50 }, newId)).size).toBe(50);
  });

  it("X-447 a unit's uid has 8 upper-case letters and digits", () => {
    expect(randomUid()).toMatch(/^[A-Z0-9]{8}$/);
    expect(new Set(Array.from({ length: 50 }, randomUid)).size).toBe(50);
  });
});
