import { statfsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { defineConfig } from "vitest/config";

// The children of the service give way to all others: beside test files that keep every core busy they had no turn for minutes.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// Memory needs no disk to sync: where there is enough of it for what tests write, that is their temporary folder.
const MEMORY = "/dev/shm";
if (process.platform === "linux" && freeBytes(MEMORY) > 6e9) process.env["TMPDIR"] = MEMORY;

// A zone in which no time of ours can be mistaken for UTC: what goes by the machine's own is found.
process.env["TZ"] = "America/St_Johns";

/** Node itself runs our TypeScript. */
const OWN_TYPESCRIPT = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A file's modules are loaded once in each worker, not anew for each file.
  isolate: false,
};

/** Files that count the time of their own thread: what other files left in its process must not slow its garbage collection. */
const MEASURING = ["test/expressions.test.ts"];

export default defineConfig({
  test: {
    // Processes, no threads: tests start programs all the time, and to fork a process takes longer the more memory it has.
    pool: "forks",
    isolate: true,
    maxWorkers: 6,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: ["src/**/*.test.ts"],
          setupFiles: ["test/setup.ts"],
          ...OWN_TYPESCRIPT,
        },
      },
      {
        extends: true,
        test: {
          name: "service",
          include: ["test/**/*.test.ts", "web/**/*.test.ts"],
          // They need a browser: `npm run test:browser`; or a worker of their own.
          exclude: ["test/browser/**", ...MEASURING],
          globalSetup: ["test/prepared-snapshots.ts"],
          setupFiles: ["test/setup.ts"],
          ...OWN_TYPESCRIPT,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: MEASURING,
          setupFiles: ["test/setup.ts"],
          ...OWN_TYPESCRIPT,
          isolate: true,
        },
      },
      {
        extends: true,
        test: { name: "pages", include: ["web/**/*.test.tsx"], setupFiles: ["test/setup.ts"] },
      },
    ],
  },
});

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
