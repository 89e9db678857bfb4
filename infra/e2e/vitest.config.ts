import { defineConfig } from "vitest/config";

// Journeys share one product. Two run beside each other, each in a browser of its own: one looks while the other waits.
export default defineConfig({
  test: {
    include: ["journeys/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    bail: 1,
    // What a page is read for is read until it is so: what stood there before looks the same as what has arrived.
    expect: { poll: { timeout: 20_000 } },
  },
});
