import { persisted } from "../ui/persisted.ts";

/** Settings of the screen, kept in the browser. */
export const uiDefaults = {
  "panels.runs.show-route-start": false,
  "panels.runs.show-route-end": true,
  "panels.orientation": "horizontal" as "horizontal" | "vertical",
  "panels.runs.useJobVirtualList": false,
  "context-menu.enable-selected-items-actions": false,
  "ui.customScrollbars": true,
  "map.clusterMarkers": true,
  /** Pixels. */
  "map.clusterRadius": 40,
  "map.territoryOpacity": 0.25,
  "timeline.selectedJobGlowColor": "#258cdb",
  "timeline.selectedJobGlowBlurRadius": 10,
  "timeline.selectedJobGlowSpreadRadius": 3,
};

export type UiSettings = typeof uiDefaults;

export const useUiSettings = persisted<UiSettings>("uiSettings", uiDefaults);
