import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.browser.test.ts"],
    globalSetup: ["test/prepared-snapshots.ts", "test/browser/built-pages.ts"],
    setupFiles: ["test/setup.ts"],
    pool: "forks",
    // Node itself runs our TypeScript, and a file's modules are loaded once in each worker.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    maxWorkers: 4,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
