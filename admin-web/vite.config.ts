import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const API = "http://127.0.0.1:8080";

export default defineConfig({
  base: "/dashboard/",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    rolldownOptions: {
      output: {
        // Libraries change less often than pages: their chunks stay in the browser's cache between releases.
        codeSplitting: {
          groups: [
            // What only the charts of the home page or the maps need stays with them, and is loaded with them.
            { name: "mui", test: /node_modules[\\/](@mui[\\/](?!x-)|@emotion)/ },
            {
              name: "react",
              test: /node_modules[\\/](react|react-dom|react-router|react-router-dom|scheduler)[\\/]/,
            },
            {
              name: "libraries",
              test: /node_modules[\\/](?!@mui[\\/]x-|@base-ui|d3-|internmap|flatqueue|bezier-easing|@?maplibre|@mapbox|@protomaps|pmtiles|topojson-|world-atlas)(?!.*node_modules[\\/])/,
            },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 1200,
  },
  server: { port: 5174, proxy: { "/api": API, "/socket.io": { target: API, ws: true } } },
  test: { environment: "happy-dom", testTimeout: 30_000, setupFiles: ["src/testing/patience.ts"] },
});
