/// <reference types="vite/client" />

/** Addresses of the installation, given when the apps are built. */
interface ImportMetaEnv {
  /** Loader script of a Sentry-compatible error service, whose host the gateway's `script-src` must name; none without it. */
  readonly VITE_TELEMETRY_URL?: string;
}
