import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.browser.test.ts"],
    globalSetup: ["test/prepared-snapshots.ts", "test/browser/built-pages.ts"],
    setupFiles: ["test/setup.ts"],
    pool: "threads",
    maxWorkers: 3,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
