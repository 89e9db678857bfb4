import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const API = "http://127.0.0.1:8080";

export default defineConfig({
  base: "/dashboard/",
  plugins: [react()],
  build: {
    target: "es2022",
    rolldownOptions: {
      output: {
        // Libraries change less often than pages: their chunks stay in the browser's cache between releases.
        codeSplitting: {
          groups: [
            { name: "mui", test: /node_modules[\\/](@mui|@emotion)/ },
            { name: "libraries", test: /node_modules/ },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 900,
  },
  server: { port: 5174, proxy: { "/api": API, "/socket.io": { target: API, ws: true } } },
  test: { environment: "happy-dom", testTimeout: 30_000 },
});
