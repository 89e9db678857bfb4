import type { MapStyleName } from "@routewright/web";
import { persisted } from "../ui/persisted.ts";

export type IconColours = "jobSuccess" | "jobColor" | "runColor";
export type IconSize = "small" | "medium" | "large" | "xl" | "xxl";

/** Radius of a job's circle in pixels. */
export const ICON_RADIUS: Record<IconSize, number> = { small: 6, medium: 8, large: 10, xl: 13, xxl: 16 };

export interface MapSettings {
  driverHistory: boolean;
  territories: boolean;
  iconNumbers: boolean;
  iconColours: IconColours;
  mapStyle: MapStyleName;
  iconSize: IconSize;
}

export const useMapSettings = persisted<MapSettings>("mapSettings", {
  driverHistory: false,
  territories: false,
  iconNumbers: true,
  iconColours: "jobSuccess",
  mapStyle: "Streets",
  iconSize: "medium",
});
