import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

const MODULE = new URL("./packaged-yaml.ts", import.meta.url).href;
const ROOT = join(import.meta.dirname, "..");
const FILES = globSync(["src/**/*.yaml", "seed/*.yaml"], { cwd: ROOT }).map((file) => join(ROOT, file));

/** What a process of its own reads of these files, with what it keeps in `folder`. */
function readAll(files: readonly string[], folder: string | null): unknown[] {
  const script = `
    import { enableCompileCache } from "node:module";
    import { readPackagedYaml } from ${JSON.stringify(MODULE)};
    ${folder === null ? "" : `enableCompileCache(${JSON.stringify(folder)});`}
    console.log(JSON.stringify(${JSON.stringify(files)}.map(readPackagedYaml)));`;
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env,
  });
  const values: unknown = JSON.parse(out);
  if (!Array.isArray(values)) throw new TypeError("Not a list");
  return values;
}

const kept = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "repute-yaml-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("every file of the program is the same from memory as it is written, and without a place to keep it", () => {
  const written = FILES.map((file): unknown => parse(readFileSync(file, "utf8")));
  expect(FILES.length).toBeGreaterThan(10);
  const folder = emptyFolder();
  expect(readAll(FILES, folder)).toEqual(written);
  expect(kept(folder)).toHaveLength(FILES.length);
  expect(readAll(FILES, folder)).toEqual(written);
  expect(readAll(FILES, null)).toEqual(written);
});

test("a file that changed is read anew, and what was kept in half as well", () => {
  const folder = emptyFolder();
  const file = join(folder, "a.yaml");
  writeFileSync(file, "a: 1\n");
  expect(readAll([file], folder)).toEqual([{ a: 1 }]);
  writeFileSync(file, "a: 2\n");
  expect(readAll([file], folder)).toEqual([{ a: 2 }]);
  for (const name of kept(folder)) writeFileSync(join(folder, name), '{"a":');
  expect(readAll([file], folder)).toEqual([{ a: 2 }]);
});
