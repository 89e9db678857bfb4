/// <reference types="vite/client" />

/** Addresses of the installation, given when the apps are built. */
interface ImportMetaEnv {
  /** API base of another host that answers positions, such as `https://gps.example.com/api`. */
  readonly VITE_GPS_URL?: string;
  /** The same for places that are searched for. */
  readonly VITE_LOCATIONS_URL?: string;
  /** Loader script of a Sentry-compatible error service, whose host the gateway's `script-src` must name; none without it. */
  readonly VITE_TELEMETRY_URL?: string;
}
