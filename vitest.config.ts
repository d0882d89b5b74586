import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/**/*.test.{ts,tsx}"],
    // They need a browser: `npm run test:browser`.
    exclude: ["test/browser/**"],
    globalSetup: ["test/prepared-snapshots.ts"],
    setupFiles: ["test/setup.ts"],
    pool: "threads",
    maxWorkers: 4,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
