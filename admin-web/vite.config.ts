import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/dashboard/",
  plugins: [react()],
  build: {
    target: "es2022",
    // react-admin is one library: its own chunk stays cached between releases of the dashboard.
    chunkSizeWarningLimit: 1600,
  },
  server: {
    port: 5174,
    proxy: { "/api": "http://127.0.0.1:8080", "/socket.io": { target: "http://127.0.0.1:8080", ws: true } },
  },
  test: { environment: "happy-dom" },
});
