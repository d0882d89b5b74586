import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { builtinZoneSchema } from "../engines/dnsbl/builtin-zones.ts";
import { readPackaged } from "./packaged-yaml.ts";

const MODULE = new URL("./packaged-yaml.ts", import.meta.url).href;
const ROOT = join(import.meta.dirname, "../..");
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

const entrySchema = z.strictObject({
  key: z.string(),
  category: z.enum(["abuse", "spam"]).default("abuse"),
  homepage: z.string(),
});

test.each([
  {
    wrong: "  categroy: spam\n  homepage: https://a.example/\n",
    says: 'entry "second": categroy: unknown key, expected one of key, category, homepage',
    line: 6,
  },
  { wrong: "  category: spam\n", says: 'entry "second": homepage: expected text, found nothing', line: 5 },
  {
    wrong: "  homepage: https://a.example/\n  category: spma\n",
    says: 'entry "second": category: expected one of abuse, spam, found "spma"',
    line: 7,
  },
])(
  "a slip in a file of the program is told with entry, key, file and line: $says",
  ({ wrong, says, line }) => {
    const path = join(emptyFolder(), "zones.yaml");
    writeFileSync(
      path,
      `# a catalogue\n- key: first\n  homepage: https://a.example/\n\n- key: second\n${wrong}`,
    );
    expect(() => readPackaged(path, z.array(entrySchema))).toThrow(
      `Invalid file of the program: ${says} (${path}, line ${line})`,
    );
  },
);

test("a slip in a file that is no list of entries is told by its path", () => {
  const path = join(emptyFolder(), "tables.yaml");
  writeFileSync(path, "tlds:\n  zip: high\n");
  expect(() => readPackaged(path, z.strictObject({ tlds: z.record(z.string(), z.number()) }))).toThrow(
    `tlds.zip: expected number, found "high" (${path}, line 2)`,
  );
});

test("a zone of the catalogue without a page about it is named", () => {
  const path = join(emptyFolder(), "zones.yaml");
  writeFileSync(
    path,
    "- { key: mine, name: Mine, target: ip, zone: bl.example, licence: { spdx: null, url: null, commercial: unknown, redistribution: unknown }, categroy: spam }\n",
  );
  const read = () => readPackaged(path, z.array(builtinZoneSchema));
  expect(read).toThrow(
    /entry "mine": categroy: unknown key, expected one of key, name, target, zone, .*line 1\)$/,
  );
  writeFileSync(
    path,
    "- { key: mine, name: Mine, target: ip, zone: bl.example, licence: { spdx: null, url: null, commercial: unknown, redistribution: unknown } }\n",
  );
  expect(read).toThrow(
    'entry "mine": homepage: expected a page about the zone, here or in reference, found nothing',
  );
});
