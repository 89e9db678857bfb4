import { beforeEach, describe, expect, it } from "vitest";
import { expiryOf, keepRefreshToken, storedRefreshToken } from "./tokens.ts";

function tokenExpiringAt(seconds: number): string {
  return `x.${btoa(JSON.stringify({ exp: seconds }))}.y`;
}

describe("stored refresh token", () => {
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

  it("A-227 A-228 lives in local storage with remember me, else in session storage", () => {
    keepRefreshToken(tokenExpiringAt(4_000_000_000), true);
    expect(localStorage.getItem("authToken")).not.toBeNull();
    expect(localStorage.getItem("rememberMe")).toBe("true");
    keepRefreshToken(tokenExpiringAt(4_000_000_000), false);
    expect(localStorage.getItem("authToken")).toBeNull();
    expect(sessionStorage.getItem("authToken")).not.toBeNull();
  });

  it("removes an expired token", () => {
    keepRefreshToken(tokenExpiringAt(10), true);
    expect(storedRefreshToken()).toBeNull();
    expect(localStorage.getItem("authToken")).toBeNull();
  });

  it("reads the expiry of a token, and none of an opaque one", () => {
    expect(expiryOf(tokenExpiringAt(10))).toBe(10_000);
    expect(expiryOf("opaque")).toBeNull();
  });
});
