import type { TrackingDeviceKey } from "@routewright/web/model";

/** The protocols that devices speak. */
export const APPS = ["osmand", "owntracks"] as const;
export type App = (typeof APPS)[number];

/** Address that is put into an app; `base` is the API's. */
export function urlOf(app: App, made: TrackingDeviceKey, base: string): string {
  return `${base}${made[app]}`;
}

/** What a phone scans: OwnTracks takes its whole configuration by a link of its own, others take the address. */
export function scannedOf(app: App, url: string): string {
  if (app === "osmand") return url;
  // Mode 3 is HTTP.
  const configuration = JSON.stringify({ _type: "configuration", mode: 3, url, auth: false });
  return `owntracks:///config?inline=${encodeURIComponent(btoa(configuration))}`;
}
