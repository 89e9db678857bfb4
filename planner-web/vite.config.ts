import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { defineConfig } from "vitest/config";

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

export default defineConfig({
  base: "/",
  plugins: [react(), serviceWorker()],
  worker: { format: "es" },
  server: {
    port: 5173,
    proxy: {
      "/api": backend,
      "/socket.io": { target: backend, ws: true },
    },
  },
  build: { target: "es2022", sourcemap: false, chunkSizeWarningLimit: 1600 },
  test: { environment: "happy-dom" },
});
