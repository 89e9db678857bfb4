import { ApiError } from "@routewright/web";
import { beforeEach, describe, expect, it } from "vitest";
import { clearErrors, useResourceErrors } from "./errors.ts";
import { createHttpClient } from "./httpClient.ts";

beforeEach(clearErrors);

describe("admin error state", () => {
  const client = createHttpClient(() =>
    Promise.reject(new ApiError(409, { description: "Run is validated" })),
  );

  it("A-487: keeps what a resource refused", async () => {
    await expect(client("/runs/7", { method: "PUT", body: "{}" })).rejects.toThrow("Run is validated");
    expect(useResourceErrors.getState().errors).toMatchObject([
      { call: "PATCH /runs/7", message: "Run is validated", status: 409 },
    ]);
  });

  it("A-488: can be cleared", async () => {
    await expect(client("/runs/7")).rejects.toThrow();
    clearErrors();
    expect(useResourceErrors.getState().errors).toEqual([]);
  });
});
