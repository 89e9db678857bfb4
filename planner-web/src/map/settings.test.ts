import { ROUTE_PALETTE } from "@routewright/web";
import { beforeEach, describe, expect, it } from "vitest";
import { useMapSettings } from "./settings.ts";

describe("settings of the map", () => {
  beforeEach(() => localStorage.clear());

  it("A-229 A-230 A-231 A-232 A-233 A-234 A-501 are kept in the browser", () => {
    expect(useMapSettings.getState().iconColours).toBe("jobSuccess");
    const chosen = {
      driverHistory: true,
      territories: true,
      iconNumbers: false,
      iconColours: "runColor",
      mapStyle: "Dark",
      iconSize: "xxl",
    } as const;
    useMapSettings.setState(chosen);
    expect(JSON.parse(localStorage.getItem("mapSettings") ?? "{}")).toEqual(chosen);
    for (const iconColours of ["jobSuccess", "jobColor", "runColor"] as const) {
      useMapSettings.setState({ iconColours });
      expect(localStorage.getItem("mapSettings")).toContain(iconColours);
    }
  });

  it("A-502 routes have eleven colours", () => {
    expect(ROUTE_PALETTE).toHaveLength(11);
    expect(new Set(ROUTE_PALETTE.filter((colour) => /^#[0-9a-f]{6}$/.test(colour))).size).toBe(11);
  });
});
