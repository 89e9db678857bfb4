import { defineConfig } from "vitest/config";

// Journeys share one product and one browser, so they run one after the other.
export default defineConfig({
  test: {
    include: ["journeys/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    bail: 1,
  },
});
