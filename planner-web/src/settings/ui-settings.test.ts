import { describe, expect, it } from "vitest";
import { uiDefaults } from "./ui-settings.ts";

describe("settings of the screen", () => {
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
});
