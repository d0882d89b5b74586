import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { openLookups } from "../src/app/open-lookups.ts";
import { systemClock } from "../src/base/clock.ts";
import { loadConfig } from "../src/config/config.ts";

declare module "vitest" {
  interface ProvidedContext {
    preparedDir: string;
  }
}

/**
 * Global set-up: a folder for what the tests of one run share: the snapshots, which the first test that needs them makes,
 * and the compiled code of the programs that tests start.
 */
export default function setUp(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "repute-prepared-"));
  project.provide("preparedDir", folder);
  process.env["NODE_COMPILE_CACHE"] = join(folder, "compiled");
  // A program that a test started may still write its compiled code as it ends.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Puts the snapshots of the seed into a data folder, so that a service there starts as at its second start. */
export async function putSnapshots(dataDir: string): Promise<void> {
  const folder = inject("preparedDir");
  await prepareOnce(folder);
  linkSnapshots(folder, dataDir);
}

/** Puts what a service in `madeDir` compiled its lists to, and what it kept of them, into a data folder with the same configuration. */
export function putCompiled(madeDir: string, dataDir: string): void {
  linkSnapshots(madeDir, dataDir);
  cpSync(join(madeDir, "feeds"), join(dataDir, "feeds"), { recursive: true });
}

function linkSnapshots(madeDir: string, dataDir: string): void {
  const target = join(dataDir, "snapshots");
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const source = join(madeDir, "snapshots");
  // Snapshots are replaced by renaming, never written in place, so a link is as good as a copy.
  for (const name of readdirSync(source)) linkSync(join(source, name), join(target, name));
}

async function prepareOnce(folder: string): Promise<void> {
  const [lock, done, failed] = ["lock", "done", "failed"].map((name) => join(folder, name));
  if (!lock || !done || !failed) return;
  if (!isFirst(lock)) {
    while (!existsSync(done)) {
      if (existsSync(failed))
        throw new Error("The snapshots could not be prepared; another test file says why");
      await systemClock.sleep(20);
    }
    return;
  }
  try {
    const config = loadConfig({ env: { REPUTE_DATA_DIR: folder }, cwd: folder });
    const lookups = await openLookups(config, { log: pino({ level: "silent" }), clock: systemClock });
    await lookups.whenReady().finally(lookups.close);
    writeFileSync(done, "");
  } catch (error) {
    writeFileSync(failed, "");
    throw error;
  }
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
