import { describe, expect, it, vi } from "vitest";
import { ApiError } from "./error.ts";
import { chunks, queryString } from "./query.ts";
import { successText } from "./success-text.ts";
import { toastDuration } from "../feedback/toasts.ts";

describe("ApiError", () => {
  it("X-563 X-564 X-565 X-566 says what the contract wants for each kind of failure", () => {
    expect(new ApiError(500, { description: "x" }).message).toBe(
      "Something went wrong. We are working on it!",
    );
    expect(new ApiError(0, null).message).toBe("Something went wrong. We are working on it!");
    expect(new ApiError(400, { description: { filters: "unknown field 'x'" } }).message).toBe(
      "Filters: unknown field 'x'",
    );
    expect(new ApiError(404, { description: "Job not found" }).message).toBe("Job not found");
    expect(new ApiError(400, { error: "CODE" }).message).toBe("CODE");
    expect(new ApiError(400, null).message).toBe("Unknown error occurred");
  });

  it("W-087 says of a suspended organisation what the server says, to users, drivers and customers", () => {
    const body = { error: "organisation_suspended", description: "Not available at the moment." };
    for (const status of [403, 503]) {
      const error = new ApiError(status, body);
      expect([error.message, error.isSuspended]).toEqual(["Not available at the moment.", true]);
    }
    expect(new ApiError(503, { description: "x" }).isSuspended).toBe(false);
  });

  it("W-115 says that one is offline, and blames nobody for it", () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const { message } = new ApiError(0, null);
    online.mockRestore();
    expect(message).toBe("You are offline. What you see stays; try again when the connection is back.");
  });

  it("recognises the token that has to be renewed", () => {
    expect(new ApiError(401, { description: "Incorrect or expired token" }).isExpiredToken).toBe(true);
    expect(new ApiError(401, { description: "Job not found." }).isExpiredToken).toBe(false);
  });
});

describe("requests", () => {
  it("joins lists and leaves absent values out", () => {
    expect(queryString({ scenario_ids: [1, 2], search: "", page: 1, served: false, x: null })).toBe(
      "?scenario_ids=1%2C2&page=1&served=false",
    );
    expect(queryString({})).toBe("");
  });

  it("splits ids by 300", () => {
    const parts = chunks(Array.from({ length: 601 }, (_, index) => index));
    expect(parts.map((part) => part.length)).toEqual([300, 300, 1]);
  });

  it("X-605 shows the generic success text except on silent paths", () => {
    expect(successText("POST", "/jobs")).toBe("Successfully added");
    expect(successText("PATCH", "/runs/1")).toBe("Successfully updated");
    expect(successText("POST", "/runs/dispatch")).toBeNull();
    expect(successText("POST", "/optimise/scenarios/1")).toBeNull();
    expect(successText("PATCH", "/scenarios/1")).toBeNull();
    expect(successText("PATCH", "/rehearsal")).toBeNull();
    expect(successText("GET", "/jobs")).toBeNull();
  });

  it("X-608 X-609 keeps long toasts longer", () => {
    expect(toastDuration("x".repeat(50))).toBe(3_000);
    expect(toastDuration("x".repeat(51))).toBe(6_000);
  });
});
