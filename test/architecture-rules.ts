/**
 * Who may import whom, as data: a file imports from its own folder and from lower rows, never from another folder
 * of its row or from above. A folder that is not here does not exist.
 */
export const ROWS: readonly {
  readonly row: number;
  readonly parts: readonly string[];
  readonly why: string;
}[] = [
  { row: 9, parts: ["main.ts"], why: "argv to command, nothing else" },
  { row: 8, parts: ["cli/"], why: "commands start the service or ask its parts" },
  {
    row: 7,
    parts: ["service.ts", "lookups.ts", "snapshots.ts", "prepare.ts"],
    why: "the places where real things are built and wired",
  },
  {
    row: 6,
    parts: ["config.ts", "config/"],
    why: "puts the parts' own option schemas together; no part knows it",
  },
  { row: 5, parts: ["http/"], why: "one way in among others; nothing below knows HTTP" },
  {
    row: 4,
    parts: ["calls/"],
    why: "admission, lookup, settlement: the only place that knows product and account",
  },
  { row: 3, parts: ["products/", "billing/"], why: "what is sold, and the payment provider" },
  { row: 2.5, parts: ["risk/", "deps.ts"], why: "pure rules and types over all of row 2" },
  {
    row: 2,
    parts: ["engines/", "feeds/", "enrichment/", "accounts/", "limits/"],
    why: "the service's knowledge",
  },
  { row: 1, parts: ["net/", "db/", "listings/"], why: "the world's edge, and the compiled index" },
  {
    row: 0,
    parts: ["failure.ts", "clock.ts", "log.ts", "json.ts", "version.ts", "targets/"],
    why: "what everybody speaks",
  },
];

/** The imports inside a row. */
export const WITHIN_ROW = [
  { from: "engines/", to: "feeds/", why: "a feed engine answers from what was downloaded" },
  { from: "enrichment/", to: "feeds/", why: "network and anonymity facts come from downloaded lists too" },
  { from: "service.ts", to: "lookups.ts", why: "the service wires its lookups as the command line does" },
  { from: "lookups.ts", to: "snapshots.ts", why: "what is missing in the data folder is prepared" },
  { from: "prepare.ts", to: "snapshots.ts", why: "parent and child share the words they speak" },
  { from: "config.ts", to: "config/", why: "one part in several files" },
  { from: "targets/", to: "failure.ts", why: "parsing refuses" },
  { from: "json.ts", to: "failure.ts", why: "parsing refuses" },
];

export type CodeRule = {
  readonly name: string;
  readonly pattern: RegExp;
  readonly only: readonly string[];
  readonly why: string;
};

/** Imports that only some folders may have. A folder ends in `/`; a file is named as a whole. */
export const MODULE_RULES: readonly CodeRule[] = [
  {
    name: "the network",
    pattern: /^(node:)?(net|tls|dgram|dns|dns\/promises|http|https|http2)$|^undici$/,
    only: ["net/", "http/", "db/", "limits/valkey.ts"],
    why: "whatever dials out goes through net/guard.ts; http/ listens, db/ and valkey.ts are drivers",
  },
  {
    name: "the web framework",
    pattern: /^fastify$|^@fastify\//,
    only: ["http/"],
    why: "the rest must run without HTTP",
  },
  {
    name: "Kysely",
    pattern: /^kysely(\/|$)/,
    only: ["db/", "accounts/", "feeds/"],
    why: "tables are known by the database and by the two parts that own rows",
  },
  {
    name: "timers",
    pattern: /^node:timers(\/promises)?$/,
    only: ["clock.ts"],
    why: "waiting goes through the clock, so that a test's clock can move",
  },
];

/** Words of the program that only some files may use. */
export const WORD_RULES: readonly CodeRule[] = [
  {
    name: "process.env",
    pattern: /\bprocess\.env\b/,
    only: ["config.ts", "config/"],
    why: "one reader of the environment",
  },
  { name: "global fetch", pattern: /(?<![.\w$])fetch\(/, only: ["net/"], why: "it would pass by the guard" },
  { name: "Date.now", pattern: /\bDate\.now\b/, only: ["clock.ts"], why: "time comes in" },
  {
    name: "new Date()",
    pattern: /\bnew Date\(\s*\)|\bnew Date\b(?!\s*\()/,
    only: ["clock.ts"],
    why: "time comes in",
  },
  {
    name: "Math.random",
    pattern: /\bMath\.random\b/,
    only: ["clock.ts"],
    why: "chance comes in, and it is no CSPRNG",
  },
  { name: "randomUUID", pattern: /\brandomUUID\b/, only: ["clock.ts"], why: "chance comes in" },
  {
    name: "setTimeout",
    pattern: /(?<![.\w$])setTimeout\b/,
    only: ["clock.ts"],
    why: "waiting goes through the clock, so that a test's clock can move",
  },
];

/** Below a product in the rows, yet none of its business. */
export const UNKNOWN_TO_PRODUCTS = {
  parts: ["db/", "accounts/", "limits/", "billing/"],
  why: "a lookup does not know who pays",
};

/** Folders with members listed by hand: what makes a file a member, and where it is listed. */
export const LISTS: readonly { readonly folder: string; readonly what: string; readonly member: RegExp }[] = [
  { folder: "src/products", what: "product", member: /\bexport const \w+ = defineProduct\(/ },
  { folder: "src/feeds/formats", what: "format", member: /\bexport const \w+: FeedFormat\b/ },
  { folder: "src/engines", what: "engine kind", member: /\bexport const \w+: EngineKind\b/ },
  { folder: "src/cli", what: "command", member: /\bexport const \w+(: Command\b| = defineCommand\()/ },
  { folder: "src/db/migrations", what: "migration", member: /\bexport const \w+: DatabaseMigration\b/ },
];

/** Longest file. */
export const MAX_LINES = 300;
