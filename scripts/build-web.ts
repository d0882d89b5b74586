import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Builds the pages into dist/web, unless what is there was made of these very sources.
const root = new URL("../", import.meta.url);
const stampFile = new URL("dist/web/stamp", root);

function stampOfSources(): string {
  const hash = createHash("sha256");
  const files = globSync("web/**/*", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  for (const file of [...files.toSorted(), fileURLToPath(new URL("package-lock.json", root))]) {
    hash.update(`${file.slice(fileURLToPath(root).length)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

async function buildPages(): Promise<void> {
  // The caller, a test for one, may have set another: React would come in its slow form, or in two.
  process.env["NODE_ENV"] = "production";
  const { build } = await import("vite");
  const configFile = fileURLToPath(new URL("web/vite.config.ts", root));
  for (const ssr of [false, true]) await build({ configFile, logLevel: "warn", build: { ssr } });
}

const stamp = stampOfSources();
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
  const startedMs = performance.now();
  await buildPages();
  writeFileSync(stampFile, stamp);
  console.log(`Built the pages in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}
