import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "../src/engines/options.ts";
import { linesFor } from "../web/app/exports/lines.ts";

const ORIGIN = "https://repute.example.com";
const FORMATS = ["txt", "csv", "ndjson", "rbl4", "rbl6", "rbldom"].map((format) => ({ format }));

const linesOf = (consumer: string, more: object): string => {
  const one = Object({ name: "our-names", kind: "block", target: "ip", formats: FORMATS, ...more });
  return linesFor(one, ORIGIN).find((lines) => lines.consumer === consumer)?.lines ?? "";
};

/** The one entry of a list that is pasted, behind its comment. */
const entryOf = (lines: string): unknown => Object(parse(lines))[0];

test.each(["ip", "domain", "url", "email"])(
  "another Repute takes the pasted list of an export of %s",
  (target) => {
    const list = entryOf(linesOf("Another Repute", { target }));
    const [feed] = enginesOptionsSchema.parse({ keys: { first: "rpx_x" }, feeds: [list] }).feeds;
    expect(feed).toMatchObject({
      key: "first_our_names",
      format: "repute",
      target,
      confidence: "high",
      aggregate: true,
    });
  },
);

test("the key of a pasted list is one, however long the export's name is", () => {
  const list = entryOf(linesOf("Another Repute", { name: `a${"-b".repeat(31)}` }));
  expect(enginesOptionsSchema.parse({ keys: { first: "rpx_x" }, feeds: [list] }).feeds).toHaveLength(1);
});

test("another Repute takes the pasted allowlist", () => {
  const [list] = allowlistsOptionsSchema.parse([entryOf(linesOf("Another Repute", { kind: "allow" }))]);
  expect(list).toMatchObject({ format: "repute", url: `${ORIGIN}/api/exports/our-names.ndjson` });
});

test("BIND lets no client ask for the zone itself", () => {
  expect(linesOf("BIND", { formats: ALL_FORMATS })).toContain("allow-query { none; };");
});

test("Squid and rbldnsd have lines for addresses and for names", () => {
  expect(linesOf("Squid", {})).toContain("acl repute dst ");
  expect(linesOf("Squid", { target: "domain" })).toContain("/our-names.txt?below=1'");
  expect(linesOf("rbldnsd", {})).toContain("bl.example:ip4trie:/etc/repute/our-names.rbl4");
});

const ALL_FORMATS = [
  ...["txt", "edl", "nft", "ipset", "rsc", "postfix", "nginx", "apache", "rpz", "rbl4", "rbl6", "rbldom"],
  ...["hosts", "adblock", "dnsmasq", "csv", "ndjson"],
].map((format) => ({ format }));

test("beside all lines stands how often they run, and a page that says what happens while Repute is away", () => {
  const seen = new Set<string>();
  for (const kind of ["block", "allow"])
    for (const target of ["ip", "domain", "url", "email"]) {
      const one = Object({ name: "edge", kind, target, formats: ALL_FORMATS });
      for (const { consumer, lines, note } of linesFor(one, ORIGIN)) {
        seen.add(consumer);
        expect(note.includes("Once an hour"), consumer).toBe(lines.startsWith("head=$(curl "));
        expect(note, consumer).toContain("how to see that it works: docs/");
        const pages = note
          .slice(note.indexOf("docs/"))
          .split(" and ")
          .map((page) => page.replace(/^docs\/(consumers\/)?/, ""));
        for (const page of pages) {
          const folder = note.includes("docs/consumers/") ? "consumers/" : "";
          const text = readFileSync(new URL(`../docs/${folder}${page}`, import.meta.url), "utf8");
          if (folder !== "") expect(text, consumer).toMatch(/^#+ .*When Repute is away/m);
        }
      }
    }
  expect(seen.size).toBeGreaterThan(25);
});
