/**
 * Which part may import which, as data: a file imports from its own folder and from lower rows, never from another folder
 * of its row or from above. There are no exceptions. A folder that is not here does not exist.
 */
export const ROWS: readonly {
  readonly row: number;
  readonly parts: readonly string[];
  readonly why: string;
}[] = [
  { row: 13, parts: ["main.ts"], why: "argv to command, nothing else" },
  { row: 12, parts: ["cli/"], why: "commands start the service or ask its parts" },
  { row: 11, parts: ["app/"], why: "the one place where real things are built and wired" },
  {
    row: 10,
    parts: ["config/"],
    why: "puts the option schemas of the parts together; no part imports it",
  },
  { row: 9, parts: ["http/"], why: "one way in among others; nothing below knows HTTP" },
  { row: 8, parts: ["runs/"], why: "metered lookups of many lines, in the background" },
  {
    row: 7,
    parts: ["metering/", "exports/"],
    why: "admission, lookup and charge: the only place that knows product and account; and whole files of what is listed",
  },
  { row: 6, parts: ["products/"], why: "what is sold" },
  {
    row: 5,
    parts: ["risk/", "alerts/"],
    why: "pure rules over what lookups found; mails about accounts and sources",
  },
  {
    row: 4,
    parts: ["engines/", "enrichment/", "sessions/", "billing/"],
    why: "what lists mean, facts beside the lists, sign-in, and the payment provider",
  },
  {
    row: 3,
    parts: ["feeds/", "registry-data/", "accounts/"],
    why: "where lists come from, what registries say, and accounts",
  },
  {
    row: 2,
    parts: ["net/", "blocklist-index/", "results/"],
    why: "dialling out, the compiled index, kept answers",
  },
  { row: 1, parts: ["db/", "targets/"], why: "the database, and what can be asked about" },
  { row: 0, parts: ["base/", "yaml/"], why: "what every part may use" },
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
    only: ["net/", "http/", "db/", "metering/limits/valkey.ts"],
    why: "whatever dials out goes through net/ssrf-guard.ts; http/ listens, db/ and valkey.ts are drivers",
  },
  {
    name: "node:http by import",
    pattern: /^(node:)?https?$/,
    only: ["net/http/node-http.ts"],
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
    only: ["metering/limits/valkey.ts"],
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
    only: ["net/mail/mail.ts"],
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
    only: ["base/clock.ts"],
    why: "waiting goes through the clock, so that a test's clock can move",
  },
];

/** Words of the program that only some files may use. */
export const WORD_RULES: readonly CodeRule[] = [
  {
    name: "process.env",
    pattern: /\bprocess\.env\b/,
    only: ["config/"],
    why: "one reader of the environment",
  },
  {
    name: "process.getBuiltinModule",
    pattern: /\bgetBuiltinModule\b/,
    only: ["net/http/node-http.ts"],
    why: "what is loaded is seen in the imports",
  },
  {
    name: "global fetch",
    pattern: /(?<![.\w$])fetch\(/,
    only: ["net/", "http/pages/snippets.ts"],
    why: "it would pass by the guard; snippets.ts writes code for customers",
  },
  { name: "Date.now", pattern: /\bDate\.now\b/, only: ["base/clock.ts"], why: "time comes in" },
  {
    name: "new Date()",
    pattern: /\bnew Date\(\s*\)|\bnew Date\b(?!\s*\()/,
    only: ["base/clock.ts"],
    why: "time comes in",
  },
  {
    name: "Math.random",
    pattern: /\bMath\.random\b/,
    only: ["base/clock.ts"],
    why: "chance comes in, and it is no CSPRNG",
  },
  { name: "randomUUID", pattern: /\brandomUUID\b/, only: ["base/clock.ts"], why: "chance comes in" },
  {
    name: "setTimeout",
    pattern: /(?<![.\w$])setTimeout\b/,
    only: ["base/clock.ts"],
    why: "waiting goes through the clock, so that a test's clock can move",
  },
];

/** Below a product in the rows, yet none of its business. */
export const UNKNOWN_TO_PRODUCTS = {
  parts: ["db/", "accounts/", "metering/", "billing/"],
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
