import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type BuiltPages, loadBuiltPages } from "../src/http/pages/built-pages.ts";
import { PRODUCTS, productNamed } from "../src/products/all.ts";
import { whoisLookup } from "../src/products/whois-lookup/product.ts";
import { atPath, type Leaf, leavesOf, membersOf, type Node, sampleOf, withValue } from "./schema-leaves.ts";

// Each field of each answer is known, known to be absent, or unknown. A page that shows two of these alike says something
// that the answer does not.

/** Named by no `unknown_fields`: what was asked, what is computed of it, and what says by itself how the asking ended. */
const ALWAYS_KNOWN = [
  /^(report\.)?(risk_score|freshness|blacklists|unknown_fields|vendor_enrichment)(\.|$)/,
  /(^|\.)(elapsed_ms|lookup_status|error|provenance|source|fetched_at|terms_of_service_url|input|status|errors)(\.|$)/,
  /^whois\.(freshness|unknown_fields|registered_domain|query)/,
  /^(query|ip|url|email|domain|domain_unicode|registered_domain|registered|query_name|normalized_email|format_error|special_purpose)$/,
  /^(information\.special_purpose|username_reasons|is_suspicious_username|did_you_mean|is_privacy_relay|is_role_address|is_noreply|role)$/,
  // Of a name itself.
  /(facts|domain_facts)\.(lookalike|homoglyph|brand_related)_\w+$/,
  // Each question of a DNS lookup ends by itself: `lookups` and `errors` say how.
  /^(authenticated_data|cname_chain|exists)$/,
  // Named as a whole: what stands below is not there when it is not known.
  /\.(spf|dmarc|dnssec|tls|ssl|response|html_info|html_forms|resources|server)\.|^(spf|dmarc|ssl|smtp)\./,
  /^report\.(url_parts|redirection|fetch|file_type)(\.|$)/,
];
const isAlwaysKnown = (path: string): boolean => ALWAYS_KNOWN.some((known) => known.test(path));

const recorded = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../src/http/examples/${name}.json`, import.meta.url), "utf8")).data;

const nodeOf = (shape: z.ZodType): Node => Object(JSON.parse(JSON.stringify(z.toJSONSchema(shape))));

/** The shapes of an answer: the registry's differ by what was asked about. */
const SHAPES = PRODUCTS.flatMap(({ name, output }) =>
  name === whoisLookup.name && output instanceof z.ZodUnion
    ? output.options.map((option, i) => ({
        name,
        title: `${name} ${i}`,
        node: nodeOf(z.custom<z.ZodType>().parse(option)),
      }))
    : [{ name, title: name, node: nodeOf(output) }],
);

let pages: BuiltPages;
beforeAll(async () => {
  pages = await loadBuiltPages();
});

/** What a reader sees of a whole report: first in words, then as JSON. */
function render(product: string, full: object): { readonly words: string; readonly json: string } {
  const page = {
    page: "tool",
    tool: productNamed(product).cli.word,
    asked: "x",
    record_type: "",
    problem: null,
    report: null,
  };
  const frame = {
    page: {
      ...page,
      full,
      charge: null,
      price: 1,
      free_plan: { requests_per_second: 1, credits_per_month: 1 },
    },
    ...{ files: { scripts: [], preloads: [], styles: [] }, theme: "system", path: "/", origin: "http://x" },
    ...{ version: "0", now: "2026-11-21T12:00:00Z", person: null },
  };
  const html = Reflect.apply(pages.renderPage, null, [frame]);
  const [words = "", json = ""] = String(html).split('<details class="fold raw">');
  return { words: textOf(words.replace(UNKNOWN_LIST, "")), json: textOf(json) };
}

/** The list of paths at the end of a report tells the states apart by itself; the fields are to do so where they stand. */
const UNKNOWN_LIST =
  /<details class="fold"><summary>\d+(<!-- -->)? fields?(<!-- -->)? not known<\/summary>.*?<\/details>/s;

const textOf = (html: string): string =>
  html
    .replace(/<!-- -->/g, "")
    .replace(/<title>.*?<\/title>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

describe.each(SHAPES)("the report of $title", ({ name, node }) => {
  const own: object = Object(sampleOf(node, recordedFor(node, name)));
  const leaves = leavesOf(node).filter(({ path }) => !isAlwaysKnown(path));

  function statesOf({ path, known, absent }: Leaf) {
    const before = atPath(own, path);
    const value = JSON.stringify(before) === JSON.stringify(absent) || before === undefined ? known : before;
    const fields = withValue(own, "unknown_fields", []);
    return {
      known: render(name, withValue(fields, path, value)),
      absent: render(name, withValue(fields, path, absent)),
      unknown: render(name, withValue(withValue(fields, path, absent), "unknown_fields", [path])),
    };
  }

  test("shows each of its fields as JSON in three ways", () => {
    const alike = leaves.flatMap((leaf) => {
      const { known, absent, unknown } = statesOf(leaf);
      const isTold =
        unknown.json !== absent.json && unknown.json !== known.json && known.json !== absent.json;
      return isTold ? [] : [leaf.path];
    });
    expect(leaves.length).toBeGreaterThan(0);
    expect(alike).toEqual([]);
  });

  test("shows what it says in words in three ways", () => {
    const alike = leaves.flatMap((leaf) => {
      const { known, absent, unknown } = statesOf(leaf);
      if (known.words === absent.words) return [];
      return unknown.words === absent.words || unknown.words === known.words ? [leaf.path] : [];
    });
    expect(alike).toEqual([]);
  });
});

/** The recorded answer, where it is of this shape. */
function recordedFor(node: Node, name: string): unknown {
  const answer = recorded(name);
  const type = membersOf(node)["type"]?.const;
  return type === undefined || type === Reflect.get(answer, "type") ? answer : undefined;
}
