import { describe, expect, it } from "vitest";
import { isKeptFile, isSheetPage, keptPaths } from "./kept-files.ts";

describe("files kept for a phone without a connection", () => {
  it("X-051 are the app's own, never answers of the office or other hosts", () => {
    const origin = "https://routes.example.org";
    expect(
      keptPaths(
        [
          `${origin}/assets/RunsheetPage-abc.js`,
          `${origin}/assets/RunsheetPage-abc.js`,
          `${origin}/mark.svg`,
          `${origin}/api/v2/runsheet/`,
          "https://elsewhere.example.org/assets/x.js",
        ],
        origin,
      ),
    ).toEqual(["/assets/RunsheetPage-abc.js", "/mark.svg"]);
    expect(isKeptFile("/api/files/uid/1.png")).toBe(false);
    expect(isKeptFile("/runsheet-worker.js")).toBe(false);
    expect(isSheetPage("/runsheet")).toBe(true);
    expect(isSheetPage("/dashboard")).toBe(false);
  });
});
