import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exportBuildOf } from "../../src/app/export-builds.ts";
import { loadConfig } from "../../src/config/config.ts";
import { buildExports } from "../../src/exports/build.ts";
import { exportFiles, readState } from "../../src/exports/state.ts";

// Builds every export of the configuration from the compiled index into a folder of its own, as the service's child does:
// the first time, and once more when nothing has changed. Tells its parent how long that took.

const config = loadConfig({ env: process.env, cwd: process.cwd() });
const dir = mkdtempSync(join(config.dataDir, "bench-exports-"));
const nowMs = Date.now();

const buildMs = async (atMs: number): Promise<number> => {
  const startedMs = performance.now();
  await buildExports({ ...exportBuildOf(config, new Map()), dir, nowMs: atMs, wanted: {} });
  return performance.now() - startedMs;
};

try {
  const [firstMs, againMs] = [await buildMs(nowMs), await buildMs(nowMs + 3_600_000)];
  const entries = config.file.exports
    .map(({ name }) => readState(exportFiles(join(dir, name))).facts?.entries ?? 0)
    .reduce((sum, one) => sum + one, 0);
  process.send?.({ firstMs, againMs, entries });
} finally {
  rmSync(dir, { recursive: true, force: true });
}
