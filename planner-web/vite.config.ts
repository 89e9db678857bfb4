import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backend = "http://127.0.0.1:8080";

export default defineConfig({
  base: "/",
  plugins: [react()],
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
