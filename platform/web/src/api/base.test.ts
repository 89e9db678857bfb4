import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { changeSession } from "../session/store.ts";
import { apiUrl } from "./base.ts";
import { request } from "./request.ts";

describe("where calls go", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    changeSession({ token: null });
  });

  it("is the product's own API unless the installation names another host", () => {
    expect(apiUrl("/jobs")).toBe("/api/jobs");
    expect(apiUrl("/scenario/4/gps_points")).toBe("/api/scenario/4/gps_points");
    vi.stubEnv("VITE_GPS_URL", "https://gps.example.org/api/");
    vi.stubEnv("VITE_LOCATIONS_URL", "https://places.example.org/v1");
    expect(apiUrl("/scenario/4/gps_points")).toBe("https://gps.example.org/api/scenario/4/gps_points");
    expect(apiUrl("/location_options?text=Rua")).toBe(
      "https://places.example.org/v1/location_options?text=Rua",
    );
    expect(apiUrl("/location_options/7")).toBe("https://places.example.org/v1/location_options/7");
    for (const own of ["/jobs", "/scenario/4", "/scenarios/4/gps_points", "/location_options_of"]) {
      expect(apiUrl(own)).toBe(`/api${own}`);
    }
  });

  it("W-071 A-458 A-459 X-521 asks the other host with the bearer token of the session", async () => {
    const asked: string[] = [];
    const server = createServer((call, answer) => {
      asked.push(`${call.url} ${call.headers.authorization ?? ""}`);
      answer.setHeader("Access-Control-Allow-Origin", "*");
      answer.setHeader("Access-Control-Allow-Headers", "Authorization");
      answer.setHeader("Content-Type", "application/json");
      answer.end(call.method === "OPTIONS" ? "" : "[]");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    vi.stubEnv("VITE_GPS_URL", host);
    vi.stubEnv("VITE_LOCATIONS_URL", host);
    changeSession({ token: "access-1" });
    expect(await request("/location_options", { query: { text: "Rua" } })).toEqual([]);
    expect(await request("/location_options/7")).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
    expect(asked.filter((line) => line.endsWith("Bearer access-1"))).toEqual([
      "/location_options?text=Rua Bearer access-1",
      "/location_options/7 Bearer access-1",
    ]);
  });
});
