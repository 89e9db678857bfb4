import { describe, expect, it } from "vitest";
import { successText } from "./success-text.ts";

describe("the toast after a call", () => {
  it("A-462 A-463 A-464 A-465 says what was done", () => {
    expect(successText("POST", "/tags")).toBe("Successfully added");
    expect(successText("PATCH", "/tags/3")).toBe("Successfully updated");
    expect(successText("PUT", "/drivers/3/territories")).toBe("Successfully saved");
    expect(successText("DELETE", "/tags/3")).toBe("Successfully deleted");
    expect(successText("GET", "/tags")).toBeNull();
  });

  it.each(["/runs/dispatch", "/optimise/scenarios/3", "/files/upload", "/users/login", "/scenarios"])(
    "A-466 is left out for %s, which speaks for itself",
    (path) => expect(successText("POST", path)).toBeNull(),
  );
});
