import { ROUTE_PALETTE } from "@routewright/web";
import { beforeEach, describe, expect, it } from "vitest";
import { useMapSettings } from "../map/settings.ts";
import { uiDefaults } from "./ui-settings.ts";

describe("settings of the screen", () => {
  beforeEach(() => localStorage.clear());

  it("A-506 A-507 A-508 A-509 A-510 A-511 A-512 A-513 A-514 A-515 A-516 A-517 have their keys and defaults", () => {
    expect(uiDefaults).toMatchObject({
      "panels.runs.show-route-start": false,
      "panels.runs.show-route-end": true,
      "panels.orientation": "horizontal",
      "panels.runs.useJobVirtualList": false,
      "context-menu.enable-selected-items-actions": false,
      "ui.customScrollbars": true,
      "map.territoryOpacity": 0.25,
      "timeline.selectedJobGlowColor": "#258cdb",
      "timeline.selectedJobGlowBlurRadius": 10,
      "timeline.selectedJobGlowSpreadRadius": 3,
    });
    expect(Object.keys(uiDefaults)).toEqual(
      expect.arrayContaining(["map.clusterMarkers", "map.clusterRadius"]),
    );
  });

  it("A-229 A-230 A-231 A-232 A-233 A-234 A-501 those of the map are kept in the browser", () => {
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
