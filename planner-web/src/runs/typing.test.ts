import { describe, expect, it } from "vitest";
import type { RunDraft } from "./run-draft.ts";
import { conflictsOf, nothingTyped, typeInto } from "./typing.ts";

const stored = { capacity: "boxes:5", shift_start: "08:00", email: "" } as RunDraft;

describe("typing into a run that others change (W-051)", () => {
  it("lets untouched fields follow and keeps what was typed", () => {
    const typing = typeInto(nothingTyped, stored, { capacity: "boxes:9" });
    const now = { ...stored, shift_start: "09:00" };
    expect({ ...now, ...typing.typed }).toMatchObject({ capacity: "boxes:9", shift_start: "09:00" });
    expect(conflictsOf(typing, now)).toEqual([]);
  });

  it("names a field that was changed under what was typed, also when it is typed on", () => {
    let typing = typeInto(nothingTyped, stored, { capacity: "boxes:9" });
    const now = { ...stored, capacity: "boxes:7" };
    expect(conflictsOf(typing, now)).toEqual(["capacity"]);
    typing = typeInto(typing, now, { capacity: "boxes:90" });
    expect(conflictsOf(typing, now)).toEqual(["capacity"]);
    expect(conflictsOf(typing, { ...stored, capacity: "boxes:90" })).toEqual([]);
  });
});
