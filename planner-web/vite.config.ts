import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { firstLoad } from "./first-load.ts";
import planner from "./package.json" with { type: "json" };

const backend = "http://127.0.0.1:8080";

/**
 * Builds the service worker of the run sheet beside the app: one script without parts, since not every phone loads
 * modules in a service worker, under an address that stays the same over all versions.
 */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    async closeBundle() {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: "warn",
        build: {
          target: "es2022",
          emptyOutDir: false,
          rollupOptions: {
            input: "src/runsheet/worker.ts",
            output: { format: "iife", entryFileNames: "runsheet-worker.js" },
          },
        },
      });
    },
  };
}

/** Pages on the road: a run sheet, and what scripts add to the customer's page. */
const BOUNDS = [
  { page: "runsheet/Runsheet.tsx", most: 150_000 },
  { page: "tracking/page.ts", most: 60_000 },
];

export default defineConfig({
  base: "/",
  plugins: [react(), serviceWorker(), firstLoad(BOUNDS)],
  worker: { format: "es" },
  define: { PAGE_VERSION: JSON.stringify(planner.version) },
  server: {
    port: 5173,
    proxy: {
      "/api": backend,
      "/tracking": backend,
      "/check": backend,
      "/socket.io": { target: backend, ws: true },
    },
  },
  build: {
    target: "es2022",
    sourcemap: false,
    chunkSizeWarningLimit: 1600,
    rollupOptions: {
      input: { index: "index.html", tracking: "src/tracking/page.ts" },
      output: {
        // The customer's page is written by the office, which knows this script under one name over all versions.
        entryFileNames: ({ name }) => (name === "tracking" ? "tracking.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  test: { environment: "happy-dom" },
});
