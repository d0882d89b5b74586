import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";
import { z } from "zod";
import { PLAN_NAMES } from "../src/accounts/plans.ts";
import { Subscription } from "../src/accounts/shapes.ts";
import { ANONYMITY_NAMES } from "../src/enrichment/facts.ts";
import * as exportShapes from "../src/http/dashboard/export-shapes.ts";
import * as people from "../src/http/dashboard/people-shapes.ts";
import { NewShareView, ResultsView, ResultView, ShareInput } from "../src/http/dashboard/result-shapes.ts";
import * as runShapes from "../src/http/dashboard/run-shapes.ts";
import * as dashboard from "../src/http/dashboard/shapes.ts";
import * as signIn from "../src/http/dashboard/sign-in-shapes.ts";
import * as tokens from "../src/http/dashboard/token-shapes.ts";
import * as usage from "../src/http/dashboard/usage-shapes.ts";
import * as pages from "../src/http/pages/page-shapes.ts";
import { BulkReport } from "../src/metering/bulk.ts";
import { PRODUCTS } from "../src/products/all.ts";
import * as words from "../src/products/words.ts";
import { markedLines } from "./marked-lines.ts";

// What the pages know of the service: the types of its answers, as customers have them from /openapi.json.
const camel = (name: string): string => name.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase());

const { USES: _uses, ...pagesShapes } = pages;
const SHOWN = [
  ...[
    "header",
    "fetch",
    "nftables-rules",
    "nftables-script",
    "nftables-load",
    "nftables-hourly",
    "nftables-allow",
  ],
  ...["nftables-second", "nftables-second-hourly", "ipset-second", "ipset-second-hourly"],
  ...["ipset-load", "ipset-script", "ipset-rules", "ipset-hourly", "ipset-allow"],
  ...["splunk-load", "elastic-key", "elastic-script", "elastic-load"],
  ...["haproxy-acl", "haproxy-allow"],
];
const OPTIONS = { bannerComment: "", additionalProperties: false, format: false } as const;
const shapes: Record<string, z.ZodType> = {
  ...dashboard,
  ...signIn,
  ...people,
  ...usage,
  ...tokens,
  ...exportShapes,
  ...runShapes,
  ...{ ResultsView, ResultView, ShareInput, NewShareView },
  ...pagesShapes,
  Subscription,
  BulkReport,
};
for (const { name, output, free } of PRODUCTS) {
  shapes[`${camel(name)}Report`] = output;
  if (free !== null) shapes[`Free${camel(name)}Report`] = free.output;
}

/** Every product as forms, tools and reports know it: what its own folder says. */
const products = `// Made by \`npm run web:types\` from src/products.
export const PRODUCTS = ${inLines(
  PRODUCTS.map(({ name, cli, price, field, page: { name: title, takes, form } }) => ({
    ...{ word: cli.word, product: name, name: title, path: `/api/${name}`, field, takes, ...form },
    credits: price,
  })),
)} as const;

export const TOOLS = ${inLines(
  PRODUCTS.map(({ cli, free, field, page: { tool } }) => ({
    ...{ name: cli.word, ...tool, path: free?.path ?? null, field },
  })),
)} as const;

export const ANONYMITY_NAMES = ${inLines(ANONYMITY_NAMES)} as const;
`;

/** What the terminal says too. */
const wordsText = `// Made by \`npm run web:types\` from src/products/words.ts.
${Object.entries(words)
  .map(([name, value]) => `export const ${name} = ${inLines(value)} as const;`)
  .join("\n\n")}
`;

/** The lines of docs/consumers that the dashboard shows as they stand there: those that fetch, and put back what was lost. */
function consumerLines(): string {
  const folder = new URL("../docs/consumers/", import.meta.url);
  const pages = readdirSync(folder).sort();
  const marked = pages.flatMap((page) => [...markedLines(readFileSync(new URL(page, folder), "utf8"))]);
  const shown = marked
    .filter(([mark]) => SHOWN.includes(mark))
    .map(([mark, lines]) => [mark, lines.trimEnd()]);
  return `// Made by \`npm run web:types\` from docs/consumers.
export const CONSUMER_LINES = ${inLines(Object.fromEntries(shown))} as const;
`;
}

function inLines(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** A file that imports nothing but such files, for the pages. */
function copyOf(path: string): string {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const beside = text.replace(/from "[./]+\/(?:\w+\/)*(\w+)\.ts"/g, 'from "./$1.gen.ts"');
  return `// Made by \`npm run web:types\` from ${path}.\n${beside}`;
}

// One document, so that a shape which several answers share is one type. An answer is `Shapes["KeysView"]`.
const schema: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(z.object(shapes))));
const types = await compile(Object.assign({}, schema, { title: "Shapes" }), "Shapes", OPTIONS);
const files: readonly (readonly [string, string])[] = [
  ["words", wordsText],
  ["types", `// Made by \`npm run web:types\` from the service's own shapes.\n\n${types}`],
  [
    "plans",
    `// Made by \`npm run web:types\` from src/accounts/plans.ts.\nexport const PLAN_NAMES = ${JSON.stringify(PLAN_NAMES).replaceAll(",", ", ")} as const;\nexport const [FREE_PLAN] = PLAN_NAMES;\n`,
  ],
  ["products", products],
  ["consumer-lines", consumerLines()],
  ["recognise", copyOf("src/targets/recognise.ts")],
  ["snippets", copyOf("src/http/pages/snippets.ts")],
  ["audit-actions", copyOf("src/accounts/audit-actions.ts")],
  ["spans", copyOf("src/base/spans.ts")],
  ["said-beside", copyOf("src/products/said-beside.ts")],
  ["sources", copyOf("src/products/sources.ts")],
];
for (const [name, text] of files) {
  const file = new URL(`../web/api/${name}.gen.ts`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) throw new Error("The types are old: npm run web:types");
}
