import { describe, expect, it } from "vitest";
import { lines } from "./Changes.tsx";

describe("what changed, in words (W-083)", () => {
  it("tells from where to where a job was moved", () => {
    expect(lines({ action: null, change: "changed", changes: { run: ["R2#4", "R5#1"] } })).toEqual([
      "Moved from R2#4 to R5#1",
    ]);
    expect(lines({ action: null, change: "changed", changes: { run: [null, "R5#1"] } })).toEqual([
      "Moved to R5#1",
    ]);
    expect(lines({ action: null, change: "changed", changes: { run: ["R2#4", null] } })).toEqual([
      "Taken off R2#4",
    ]);
  });

  it("shows fields by their labels and never as JSON", () => {
    const changes: Record<string, [unknown, unknown]> = {
      route_end: ["start", "anywhere"],
      tags: [null, ["Cold", "Fragile"]],
      priority: [false, true],
      value: [
        { max_photos: 5, required: true },
        { max_photos: 8, required: true },
      ],
    };
    const found = lines({ action: null, change: "changed", changes });
    expect(found).toEqual([
      "Route end: start → anywhere",
      "Tags: – → Cold, Fragile",
      "Priority: No → Yes",
      expect.stringMatching(/photos: 5 → 8$/),
    ]);
    expect(found.join()).not.toMatch(/[{}[\]]/);
  });

  it("says what was done where no field changed, and leaves out what is empty", () => {
    expect(lines({ action: "signed_in", change: "done", changes: {} })).toEqual(["Signed in"]);
    expect(lines({ action: "GET /export_proofs", change: "done", changes: {} })).toEqual([
      "GET /export_proofs",
    ]);
    const changes: Record<string, [unknown, unknown]> = { name: [null, "Ana"], extra_fields: [null, {}] };
    expect(lines({ action: "POST /drivers", change: "created", changes })).toEqual(["Name: Ana"]);
  });
});
