import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Makes dist/ what the package runs: Node strips no types below node_modules. What others build into dist/, as the
 * pages in dist/web, stays where it is.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCE = join(ROOT, "src");
const BUILT = join(ROOT, "dist");

removeEarlier();
const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", join(ROOT, "tsconfig.build.json")], { stdio: "inherit" });
copyData();

/** What an earlier run wrote: a file whose source has gone must not be shipped. */
function removeEarlier(): void {
  const names = readdirSync(SOURCE).map((name) => name.replace(/\.ts$/, ".js"));
  for (const name of [...names, "docs"]) rmSync(join(BUILT, name), { recursive: true, force: true });
}

/** What is read from disk beside the code: catalogues, and the examples of the OpenAPI document. */
function copyData(): void {
  for (const path of readdirSync(SOURCE, { recursive: true, encoding: "utf8" })) {
    if (/\.(ya?ml|json)$/.test(path)) cpSync(join(SOURCE, path), join(BUILT, path));
  }
}
