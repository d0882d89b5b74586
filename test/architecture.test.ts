import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type CodeRule,
  LISTS,
  MAX_LINES,
  MODULE_RULES,
  ROWS,
  UNKNOWN_TO_PRODUCTS,
  WORD_RULES,
} from "./architecture-rules.ts";
import { listEntries, ROOT, readSourceFiles, type SourceFile, sourceFile } from "./source-files.ts";

const isTest = ({ path }: SourceFile): boolean => /\.test\.tsx?$/.test(path);
const everyFile = readSourceFiles("src");
const files = everyFile.filter((file) => !isTest(file));

/** `net/` of `src/net/dns/dns.ts`, `clock.ts` of `src/base/clock.ts`, null outside `src/`. */
function partOf(path: string): string | null {
  const [root, first, ...rest] = path.split("/");
  if (root !== "src" || first === undefined) return null;
  return rest.length === 0 ? first : `${first}/`;
}

const rowOf = (part: string): number | null => ROWS.find(({ parts }) => parts.includes(part))?.row ?? null;

const isWithin = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith("/") ? path.startsWith(`src/${place}`) : path === `src/${place}`));

function rowFaults(file: SourceFile): readonly string[] {
  const from = partOf(file.path);
  const fromRow = from === null ? null : rowOf(from);
  if (from === null || fromRow === null) return [`${file.path}: "${from}" stands in no row`];
  return file.imports.flatMap(({ specifier, target }) => {
    if (target === null || target === "package.json") return [];
    const to = partOf(target);
    if (to === null) return [`${file.path} imports ${specifier}: outside src/`];
    const toRow = rowOf(to);
    if (toRow === null) return [`${file.path} imports ${specifier}: "${to}" stands in no row`];
    if (to === from || toRow < fromRow) return [];
    return [`${file.path} (row ${fromRow}) imports ${specifier} (${to}, row ${toRow})`];
  });
}

function moduleFaults(file: SourceFile, { name, pattern, only, why }: CodeRule): readonly string[] {
  if (isWithin(file.path, only)) return [];
  return file.imports
    .filter(({ specifier, isType }) => !isType && pattern.test(specifier))
    .map(({ specifier }) => `${file.path} imports ${specifier}: ${name} only in ${only.join(", ")}: ${why}`);
}

function wordFaults(file: SourceFile, { name, pattern, only, why }: CodeRule): readonly string[] {
  if (isWithin(file.path, only)) return [];
  return file.code
    .split("\n")
    .filter((line) => pattern.test(line))
    .map((line) => `${file.path} uses ${name} (only in ${only.join(", ")}: ${why}): ${line.trim()}`);
}

/** Each cycle once, as the files in a ring. Types are left out: they are gone before anything is loaded. */
function findCycles(sources: readonly SourceFile[]): readonly string[] {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, isType }) => (target === null || isType ? [] : [target])),
    ]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    trail.push(path);
    for (const target of edges.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of edges.keys()) visit(path);
  return cycles;
}

/** What the section "Folders" of ARCHITECTURE.md names: `src/x/` in its table, `x.ts` in the paragraph below it. */
function documentedParts(document: string): readonly string[] {
  const section = /^## Folders\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(document)?.[1] ?? "";
  const folders = [...section.matchAll(/^\| `src\/([\w-]+\/)`/gm)];
  const beside = /^Beside them:[\s\S]*?(?=\n\n|(?![\s\S]))/m.exec(section)?.[0] ?? "";
  return [...folders, ...beside.matchAll(/`([\w-]+\.ts)`/g)].flatMap(([, name]) => name ?? []);
}

describe("src/:", () => {
  test("every file imports only from its own folder and from lower rows", () => {
    expect(files.flatMap(rowFaults)).toEqual([]);
  });

  test(`products/ imports nothing of ${UNKNOWN_TO_PRODUCTS.parts.join(", ")}: ${UNKNOWN_TO_PRODUCTS.why}`, () => {
    const faults = files
      .filter(({ path }) => partOf(path) === "products/")
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => target !== null && isWithin(target, UNKNOWN_TO_PRODUCTS.parts))
          .map(({ specifier }) => `${path} imports ${specifier}`),
      );
    expect(faults).toEqual([]);
  });

  test.each(MODULE_RULES)("$name is imported only in $only: $why", (rule) => {
    expect(files.flatMap((file) => moduleFaults(file, rule))).toEqual([]);
  });

  test.each(WORD_RULES)("$name stands only in $only: $why", (rule) => {
    expect(files.flatMap((file) => wordFaults(file, rule))).toEqual([]);
  });

  test("no imports go in a circle: what loads first would depend on who is asked first", () => {
    expect(findCycles(files)).toEqual([]);
  });

  test(`no file is longer than ${MAX_LINES} lines: it does more than one thing`, () => {
    const long = everyFile.map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }));
    expect(long.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  test("no two exported types share a name: one name means one thing", () => {
    const pages = readSourceFiles("web").filter(({ path }) => !/\.gen\.ts$|\.test\.tsx?$/.test(path));
    const places = [...files, ...pages].flatMap(({ path, code }) =>
      [...code.matchAll(/^export (?:type|interface|class) (\w+)/gm)].map(([, name = ""]) => ({ name, path })),
    );
    const shared = [...Map.groupBy(places, ({ name }) => name)].filter(([, all]) => all.length > 1);
    expect(shared.map(([name, all]) => `${name}: ${all.map(({ path }) => path).join(", ")}`)).toEqual([]);
  });

  test.each(LISTS)("every $what stands in $folder/all.ts, and nothing else does", ({ folder, member }) => {
    const inFolder = files.filter(({ path }) => path.startsWith(`${folder}/`));
    const members = inFolder.filter(({ code }) => member.test(code)).map(({ path }) => path);
    const list = inFolder.find(({ path }) => path === `${folder}/all.ts`);
    const listed = (list?.imports ?? []).flatMap(({ target, isType }) =>
      target !== null && !isType && target.startsWith(`${folder}/`) ? [target] : [],
    );
    expect(listed.sort()).toEqual(members);
  });
});

test("web/ imports nothing of src/: it knows the service by its OpenAPI, as customers do", () => {
  const faults = readSourceFiles("web")
    .filter(({ path }) => !path.includes("/node_modules/"))
    // It compares the page with the terminal.
    .filter(({ path }) => path !== "web/report/side-by-side.test.tsx")
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target?.startsWith("src/"))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
  expect(faults).toEqual([]);
});

const architecturePath = join(ROOT, "ARCHITECTURE.md");

test.skipIf(!existsSync(architecturePath))(
  "the folder list of ARCHITECTURE.md is what stands in src/",
  () => {
    const parts = listEntries("src").filter((entry) => entry.endsWith("/") || /(?<!\.test)\.ts$/.test(entry));
    expect([...documentedParts(readFileSync(architecturePath, "utf8"))].sort()).toEqual([...parts].sort());
  },
);

describe("the rules themselves:", () => {
  const source = (path: string, text: string) => sourceFile(path, text);

  test.each([
    { text: 'import { a } from "../http/server.ts";', fault: true, why: "a higher row" },
    { text: 'import type { A } from "../http/server.ts";', fault: true, why: "a higher row, its types" },
    {
      text: 'import {\n  a,\n  type B,\n} from "../billing/billing.ts";',
      fault: true,
      why: "another folder of the row",
    },
    { text: 'export { a } from "../billing/billing.ts";', fault: true, why: "a re-export" },
    { text: 'const a = await import("../metering/call.ts");', fault: true, why: "a dynamic import" },
    { text: 'import "../config/config.ts";', fault: true, why: "an import for its effect" },
    { text: 'import { a } from "../../test/a.ts";', fault: true, why: "outside src/" },
    { text: 'import { a } from "../new/a.ts";', fault: true, why: "an unknown folder" },
    { text: 'import { a } from "../feeds/feed.ts";', fault: false, why: "the row below" },
    {
      text: 'import { a } from "./b.ts";\nimport { c } from "../net/dns.ts";',
      fault: false,
      why: "own folder, lower row",
    },
    { text: '// import { a } from "../http/server.ts";', fault: false, why: "a comment" },
    { text: "const text = 'import \"../http/server.ts\"';", fault: false, why: "a text" },
  ])("rows: fault is $fault for $why", ({ text, fault }) => {
    expect(rowFaults(source("src/engines/x.ts", text)).length > 0).toBe(fault);
  });

  test.each([
    { text: "const at = Date.now();", word: "Date.now", fault: true },
    { text: "// Date.now() is not used", word: "Date.now", fault: false },
    { text: 'const text = "Date.now()";', word: "Date.now", fault: false },
    { text: ["const text = `$", "{Date.now()}`;"].join(""), word: "Date.now", fault: true },
    { text: "const at = new Date();", word: "new Date()", fault: true },
    { text: "const at = new Date(ms);", word: "new Date()", fault: false },
    { text: "socket.setTimeout(5);", word: "setTimeout", fault: false },
    { text: "setTimeout(run, 5);", word: "setTimeout", fault: true },
    { text: "await deps.fetch(url);", word: "global fetch", fault: false },
    { text: "await fetch(url);", word: "global fetch", fault: true },
  ])("words: fault is $fault for $word in: $text", ({ text, word, fault }) => {
    const rules = WORD_RULES.filter(({ name }) => name === word);
    expect(rules.flatMap((rule) => wordFaults(source("src/engines/x.ts", text), rule)).length > 0).toBe(
      fault,
    );
  });

  test("a circle of three files is found once, one of types is none", () => {
    const ring = (word: string) => [
      source("src/net/a.ts", `${word} { b } from "./b.ts";`),
      source("src/net/b.ts", `${word} { c } from "./c.ts";`),
      source("src/net/c.ts", `${word} { a } from "./a.ts";`),
    ];
    expect(findCycles(ring("import"))).toEqual(["src/net/a.ts → src/net/b.ts → src/net/c.ts → src/net/a.ts"]);
    expect(findCycles(ring("import type"))).toEqual([]);
  });

  test("the folder list of a document is read from its section on folders", () => {
    const table = "| folder | what |\n|---|---|\n| `src/net/` | DNS, `b.ts` |\n| `src/db/` | `SQLite` |\n";
    const document = `# A\n\n## Folders\n\n${table}\nBeside them: \`a.ts\` (x),\n\`c.ts\`.\n\n## Rows\n\n\`d.ts\`\n`;
    expect(documentedParts(document)).toEqual(["net/", "db/", "a.ts", "c.ts"]);
  });
});
