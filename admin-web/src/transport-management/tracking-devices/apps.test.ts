// @vitest-environment node
import { expect, it } from "vitest";
import { scannedOf, urlOf } from "./apps.ts";

const made = { key: "K", osmand: "/positions/osmand/K", owntracks: "/positions/owntracks/K" };

it("issue 13.3: an app is given the address with the device's key", () => {
  const url = urlOf("osmand", made, "https://example.org/api");
  expect(url).toBe("https://example.org/api/positions/osmand/K");
  expect(scannedOf("osmand", url)).toBe(url);
});

it("issue 13.3: OwnTracks scans its configuration, which holds the address", () => {
  const url = urlOf("owntracks", made, "https://example.org/api");
  const scanned = new URL(scannedOf("owntracks", url));
  expect(scanned.protocol).toBe("owntracks:");
  const configuration: unknown = JSON.parse(atob(scanned.searchParams.get("inline") ?? ""));
  expect(configuration).toEqual({
    _type: "configuration",
    mode: 3,
    url: "https://example.org/api/positions/owntracks/K",
    auth: false,
  });
});
