import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createListingsBuilder } from "../blocklist-index/compile-index.ts";
import { feedsToCompile } from "../engines/consult.ts";
import { defineEngines } from "../engines/definitions.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "../engines/options.ts";
import { feedOfNameList, feedOfNetworkList } from "../enrichment/classifying-lists.ts";
import { loadNameLists } from "../enrichment/domain-names/name-lists.ts";
import { loadNetworkLists } from "../enrichment/ip/networks.ts";
import { compileFeeds } from "../feeds/compile.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import { retrieveFiles } from "../feeds/test-updater.ts";
import { policiesOptionsSchema } from "../risk/policy-options.ts";
import { renderBody } from "./bodies.ts";
import { buildExports, type ExportBuild } from "./build.ts";
import { type Generation, readGeneration } from "./generation.ts";
import { exportsOptionsSchema } from "./options.ts";
import { type ExportFiles, type ExportState, exportFiles, readState } from "./state.ts";
import { collectTexts } from "./texts.ts";
import { formatOf, variantOf } from "./variant.ts";

/** One list of the operator's in a test. */
type TestList = {
  readonly lines: readonly string[];
  readonly target?: "ip" | "domain" | "url" | "email";
  readonly category?: string;
  readonly confidence?: string;
  /** More of the list's options. */
  readonly more?: Readonly<Record<string, unknown>>;
};

export type TestWorld = {
  readonly dir: string;
  readonly now: Date;
  readonly build: ExportBuild;
  /** Compiles the lists anew, and builds every export as of a time. */
  readonly make: (lists: TestLists, at?: Date) => Promise<void>;
  /** Asks the lists' sources again, which say what they said, and builds every export as of that time: the index stays. */
  readonly ask: (at: Date) => Promise<void>;
  /** Builds every export as of a time, of what is there. */
  readonly rebuild: (at: Date) => Promise<void>;
  readonly files: (name: string) => ExportFiles;
  readonly state: (name: string) => ExportState;
  readonly generation: (name: string) => Generation;
  /** The text of a format; `file` is a name and an ending, e.g. `edge.rpz`. */
  readonly body: (file: string, query?: Readonly<Record<string, string>>) => string;
  readonly close: () => void;
};

export type TestLists = {
  readonly block: Readonly<Record<string, TestList>>;
  readonly allow?: Readonly<Record<string, TestList>>;
};

const SEED_DIR = fileURLToPath(new URL("../../seed", import.meta.url));
const NOON = new Date("2026-11-21T12:00:00Z");

/**
 * Exports of lists written in a test, through the real compiler; `hasShipped`: beside the shipped lists of networks and
 * names, which take two seconds to compile.
 */
export function createTestWorld(
  exports: readonly object[],
  { hasShipped = false, policies = {} }: { readonly hasShipped?: boolean; readonly policies?: object } = {},
): TestWorld {
  const dir = mkdtempSync(join(tmpdir(), "repute-exports-"));
  const base = {
    dir: join(dir, "exports"),
    listsFile: join(dir, "lists.bin"),
    textsFile: join(dir, "texts.bin"),
    keptDir: join(dir, "feeds"),
    asnFile: join(dir, "asn.bin"),
    exports: exportsOptionsSchema.parse(exports),
    policies: policiesOptionsSchema.parse(policies),
    switches: {},
    wanted: {},
  };
  let build: ExportBuild = { ...base, ...optionsOf(dir, { block: {} }), nowMs: NOON.getTime() };
  const files = (name: string) => exportFiles(join(base.dir, name));
  const generation = (name: string): Generation => {
    const { facts } = readState(files(name));
    if (facts === null) throw new Error(`The export "${name}" has no generation`);
    return readGeneration(files(name).generation(facts.generation));
  };
  const rebuild = (at: Date) => buildExports({ ...build, nowMs: at.getTime() });
  return {
    dir,
    now: NOON,
    get build() {
      return build;
    },
    make: async (given, at = NOON) => {
      build = { ...base, ...optionsOf(dir, given), nowMs: at.getTime() };
      await compile(build, hasShipped, at);
      await buildExports(build);
    },
    ask: (at) => retrieveFiles(feedsOf(build, hasShipped), build.keptDir, at).then(() => rebuild(at)),
    rebuild,
    files,
    state: (name) => readState(files(name)),
    generation,
    body: (file, query = {}) => {
      const [name = "", ext = ""] = file.split(".");
      const format = formatOf(ext);
      const made = generation(name);
      if (format === null) throw new Error(`There is no format "${ext}"`);
      return renderBody(made, variantOf(format, query, made.facts.target)).content.toString("utf8");
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function optionsOf(
  dir: string,
  { block, allow = {} }: TestLists,
): Pick<ExportBuild, "engines" | "allowlists"> {
  mkdirSync(join(dir, "lists"), { recursive: true });
  const entriesOf = (lists: TestLists["block"]) =>
    Object.entries(lists).map(([key, { lines, target = "ip", more = {} }]) => {
      const path = join(dir, "lists", `${key}.txt`);
      writeFileSync(path, `${lines.join("\n")}\n`);
      return { key, target, url: pathToFileURL(path).href, format: "plain", allow_empty: true, ...more };
    });
  const feeds = entriesOf(block).map((entry) => {
    const { category = "attack", confidence = "high" } = block[entry.key] ?? { lines: [] };
    return { ...entry, category, confidence };
  });
  return {
    engines: enginesOptionsSchema.parse({ builtin: false, feeds }),
    allowlists: allowlistsOptionsSchema.parse(entriesOf(allow)),
  };
}

function feedsOf({ engines, allowlists }: ExportBuild, hasShipped: boolean): readonly FeedDefinition[] {
  const classifying = [...loadNetworkLists().map(feedOfNetworkList), ...loadNameLists().map(feedOfNameList)];
  return feedsToCompile(defineEngines({ engines, allowlists }), hasShipped ? classifying : []);
}

async function compile(build: ExportBuild, hasShipped: boolean, at: Date): Promise<void> {
  const { keptDir, listsFile, textsFile } = build;
  const feeds = feedsOf(build, hasShipped);
  await retrieveFiles(feeds, keptDir, at);
  const builder = collectTexts(createListingsBuilder(), feeds, textsFile);
  await compileFeeds({ feeds, builder, seedDir: SEED_DIR, keptDir, outFile: listsFile });
}
