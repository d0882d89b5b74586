import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Debian's browser, or another one that the environment names. */
export const CHROMIUM = process.env["REPUTE_TEST_CHROMIUM"] ?? "/usr/bin/chromium";

/** Where the pictures of the pages go: for people to look at. */
export const OUTPUT = fileURLToPath(new URL("output/", import.meta.url));

/** Global set-up: the pages as they stand in `web/`, and an empty folder for their pictures. */
export default function setUp(): void {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `No browser at ${CHROMIUM}: apt-get install chromium, or name one in REPUTE_TEST_CHROMIUM`,
    );
  }
  const built = spawnSync(process.execPath, ["scripts/build-web.ts"], { cwd: ROOT, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`The pages cannot be built:\n${built.stderr}`);
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
}
