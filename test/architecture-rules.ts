/**
 * Which part may import which, as data: a file imports from its own folder and from lower rows, never from another folder
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
    parts: [
      "service.ts",
      "dashboard.ts",
      "lookups.ts",
      "wiring.ts",
      "network.ts",
      "data-parts.ts",
      "table-snapshot.ts",
      "lists.ts",
      "switched-lists.ts",
      "switches.ts",
      "try-engine.ts",
      "export-builds.ts",
      "feed-health.ts",
      "snapshots.ts",
      "prepare.ts",
    ],
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
    parts: ["calls/", "runs/", "exports/"],
    why: "admission, lookup, settlement: the only places that know product and account; and whole files of what is listed",
  },
  { row: 3, parts: ["products/", "billing/"], why: "what is sold, and the payment provider" },
  { row: 2.5, parts: ["risk/", "deps.ts"], why: "pure rules and types over all of row 2" },
  {
    row: 2,
    parts: [
      "engines/",
      "feeds/",
      "enrichment/",
      "registration/",
      "accounts/",
      "sessions/",
      "results/",
      "alerts/",
      "limits/",
    ],
    why: "the service's knowledge",
  },
  { row: 1, parts: ["net/", "db/", "listings/"], why: "the world's edge, and the compiled index" },
  {
    row: 0,
    parts: [
      "failure.ts",
      "clock.ts",
      "log.ts",
      "printable.ts",
      "folders.ts",
      "parse-json.ts",
      "packaged-yaml.ts",
      "version.ts",
      "metrics.ts",
      "work.ts",
      "wire.ts",
      "targets/",
      "yaml/",
    ],
    why: "what everybody speaks",
  },
];

/** The imports inside a row. */
export const WITHIN_ROW = [
  { from: "engines/", to: "feeds/", why: "a feed engine answers from what was downloaded" },
  { from: "enrichment/", to: "feeds/", why: "network and anonymity facts come from downloaded lists too" },
  { from: "enrichment/", to: "registration/", why: "facts of a network that only its registry knows" },
  { from: "alerts/", to: "accounts/", why: "what an account has left, and what it wants to be told" },
  { from: "alerts/", to: "sessions/", why: "the form of a mail, and who signs in" },
  { from: "alerts/", to: "feeds/", why: "how a source fared yesterday" },
  { from: "accounts/", to: "results/", why: "an account's export holds what is kept for it" },
  { from: "runs/", to: "calls/", why: "what is shown of an answer is the same for one lookup and for many" },
  { from: "sessions/", to: "accounts/", why: "a sign-in is to an account" },
  { from: "service.ts", to: "dashboard.ts", why: "the pages' own interface is wired there" },
  { from: "service.ts", to: "lookups.ts", why: "the service wires its lookups as the command line does" },
  { from: "lookups.ts", to: "lists.ts", why: "the index that lookups ask, and what keeps it fresh" },
  { from: "lookups.ts", to: "switched-lists.ts", why: "owners switch lists on and off while lookups go on" },
  { from: "lookups.ts", to: "switches.ts", why: "owners' switches decide which engines are asked" },
  { from: "lookups.ts", to: "feed-health.ts", why: "how the engines of the lookups fare" },
  { from: "feed-health.ts", to: "lists.ts", why: "the last attempts at a list" },
  { from: "lookups.ts", to: "try-engine.ts", why: "an engine is tried by what lookups dial out with" },
  { from: "try-engine.ts", to: "network.ts", why: "a trial is a download or a self-test" },
  { from: "try-engine.ts", to: "snapshots.ts", why: "a download is judged in the child" },
  { from: "switched-lists.ts", to: "lists.ts", why: "the lists of a time, followed by others" },
  { from: "lookups.ts", to: "wiring.ts", why: "lookups are opened here and wired there" },
  { from: "lookups.ts", to: "data-parts.ts", why: "what is missing in the data folder is prepared" },
  { from: "lookups.ts", to: "network.ts", why: "lookups open what dials out" },
  { from: "wiring.ts", to: "network.ts", why: "lookups ask through what is opened there" },
  { from: "wiring.ts", to: "data-parts.ts", why: "lookups ask the tables that are opened there" },
  { from: "data-parts.ts", to: "lists.ts", why: "the lists are one part of the data" },
  { from: "data-parts.ts", to: "table-snapshot.ts", why: "each retrieved table is one" },
  { from: "data-parts.ts", to: "snapshots.ts", why: "a part is a snapshot, prepared by a child" },
  { from: "lookups.ts", to: "snapshots.ts", why: "what is missing in the data folder is prepared" },
  { from: "lists.ts", to: "snapshots.ts", why: "a changed list compiles a new index" },
  { from: "lookups.ts", to: "export-builds.ts", why: "another index makes other exports" },
  { from: "export-builds.ts", to: "snapshots.ts", why: "exports are built by a child" },
  { from: "prepare.ts", to: "snapshots.ts", why: "parent and child share the words they speak" },
  { from: "config.ts", to: "config/", why: "one part in several files" },
  { from: "targets/", to: "failure.ts", why: "parsing refuses" },
  { from: "parse-json.ts", to: "failure.ts", why: "parsing refuses" },
  {
    from: "packaged-yaml.ts",
    to: "yaml/",
    why: "a slip in a file of the program is told as the operator's is",
  },
  { from: "log.ts", to: "printable.ts", why: "the command line cleans its texts without the logger" },
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
    name: "node:http by import",
    pattern: /^(node:)?https?$/,
    only: ["net/node-http.ts"],
    why: "its face for import loads the whole of undici at every start, which is not used",
  },
  {
    name: "the web framework",
    pattern: /^fastify$|^@fastify\//,
    only: ["http/"],
    why: "the rest must run without HTTP",
  },
  {
    name: "the Valkey driver",
    pattern: /^ioredis$/,
    only: ["limits/valkey.ts"],
    why: "what the limits need of it is a few promises, and nothing is loaded without VALKEY_URL",
  },
  {
    name: "the metrics library",
    pattern: /^prom-client$/,
    only: ["http/prometheus.ts", "http/prometheus-exports.ts", "http/prometheus-tables.ts"],
    why: "parts count in words of their own, and nothing is loaded where nothing is counted",
  },
  {
    name: "the payment provider's library",
    pattern: /^stripe$/,
    only: ["billing/provider.ts"],
    why: "it dials by itself, and only where billing.stripe_api_base says (decision 0007); loaded when first asked",
  },
  {
    name: "the mail library",
    pattern: /^nodemailer$/,
    only: ["net/mail.ts"],
    why: "it dials by itself, and only the operator's own server; nothing is loaded before the first mail",
  },
  {
    name: "Kysely",
    pattern: /^kysely(\/|$)/,
    only: ["db/", "accounts/", "sessions/", "results/", "runs/", "alerts/", "billing/", "feeds/"],
    why: "tables are known by the database and by the parts that own rows",
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
  {
    name: "process.getBuiltinModule",
    pattern: /\bgetBuiltinModule\b/,
    only: ["net/node-http.ts"],
    why: "what is loaded is seen in the imports",
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
  {
    folder: "src/exports/formats",
    what: "export format",
    member: /\bexport const \w+: ExportFormat\b/,
  },
  { folder: "src/engines", what: "engine kind", member: /\bexport const \w+: EngineKind\b/ },
  {
    folder: "src/cli",
    what: "command",
    member: /\bexport const \w+(: Command\b| = (defineCommand|changingAccount)\()/,
  },
  { folder: "src/db/migrations", what: "migration", member: /\bexport const \w+: DatabaseMigration\b/ },
];

/** Longest file. */
export const MAX_LINES = 300;
