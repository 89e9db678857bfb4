import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answering } from "../testing/answers.ts";
import { keepNextPage, takeNextPage } from "./next-page.ts";
import { endSession, signOut, takeSignInProblem } from "./sign-out.ts";
import { changeSession } from "./store.ts";
import { keepRefreshToken } from "./tokens.ts";

describe("the end of a session", () => {
  const opened = vi.fn<(address: string) => void>();

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(window.location, "replace").mockImplementation((address) => opened(String(address)));
    localStorage.clear();
    sessionStorage.clear();
    keepRefreshToken("refresh-1", true);
    changeSession({ status: "signed_in", token: "access-1" });
    localStorage.setItem("mapView:7", "-8.6,41.1,12");
    localStorage.setItem("RaStoredashboard.jobs.listParams", '{"filter":{"search":"Mrs Silva"}}');
    localStorage.setItem("mapSettings", '{"style":"Topo"}');
    localStorage.setItem("mui-mode", "dark");
    sessionStorage.setItem("workingOrganisation", '{"id":7,"name":"Silva & Co"}');
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    opened.mockReset();
  });

  it("A-244 W-082 leaves nothing of the person: neither in the browser's storage nor in the page", () => {
    const calls = answering({ "POST /auth/logout": { success: true } });
    signOut();
    vi.advanceTimersByTime(1);
    // A map that was still moving.
    localStorage.setItem("mapView:7", "-8.6,41.1,13");
    window.dispatchEvent(new Event("pagehide"));
    expect(Object.keys(localStorage).sort()).toEqual(["mapSettings", "mui-mode"]);
    expect(Object.keys(sessionStorage)).toEqual([]);
    expect(opened).toHaveBeenCalledExactlyOnceWith("/");
    expect(calls).toMatchObject([
      { method: "POST", path: "/auth/logout", body: { refresh_token: "refresh-1" } },
    ]);
  });

  it("W-081 is told on the sign-in page when it was not the person who ended it", () => {
    endSession();
    endSession();
    vi.advanceTimersByTime(1);
    expect(localStorage.getItem("authToken")).toBeNull();
    expect(opened).toHaveBeenCalledOnce();
    expect(takeSignInProblem()).toBe("Your session has ended. Please sign in again.");
    expect(takeSignInProblem()).toBeNull();
  });

  it("W-087 tells why, where the server said it", () => {
    endSession("Your organisation is suspended.");
    vi.advanceTimersByTime(1);
    expect(takeSignInProblem()).toBe("Your organisation is suspended.");
  });

  it("W-116 a page of the dashboard is gone on with, once; other addresses are not kept", () => {
    expect(keepNextPage("/dashboard/database/jobs?page=2")).toBe(true);
    expect(takeNextPage()).toBe("/dashboard/database/jobs?page=2");
    expect(takeNextPage()).toBeNull();
    for (const other of ["/territory-builder", "//evil.example", "https://evil.example", "/dashboards"]) {
      expect(keepNextPage(other)).toBe(false);
    }
    sessionStorage.setItem("nextPage", "https://evil.example/dashboard");
    expect(takeNextPage()).toBeNull();
  });
});
