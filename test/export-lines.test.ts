import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "../src/engines/options.ts";
import { firstSteps, linesFor } from "../web/app/exports/lines.ts";
import { linesOf as marked } from "./consumer-lines.ts";

const ORIGIN = "https://repute.example.com";
const FORMATS = ["txt", "csv", "ndjson", "rbl4", "rbl6", "rbldom"].map((format) => ({ format }));

const linesOf = (consumer: string, more: object): string => {
  const one = Object({ name: "our-names", kind: "block", target: "ip", formats: FORMATS, ...more });
  const found = linesFor(one, ORIGIN).find((lines) => lines.consumer === consumer);
  return found === undefined ? "" : [found.fetch, found.lines, found.hourly].join("\n");
};

/** The one entry of a list that is pasted, behind its comment. */
const entryOf = (lines: string): unknown => Object(parse(lines))[0];

test.each(["ip", "domain", "url", "email"])(
  "another Repute takes the pasted list of an export of %s",
  (target) => {
    const list = entryOf(linesOf("Another Repute", { target }));
    const [feed] = enginesOptionsSchema.parse({ keys: { first: "rpx_x" }, feeds: [list] }).feeds;
    expect(feed).toMatchObject({
      key: expect.stringMatching(/^first_our_names_\w{6}$/),
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

test("Knot Resolver, which reads triggers by name alone, has lines for names alone", () => {
  expect(linesOf("Knot Resolver", { formats: ALL_FORMATS })).toBe("");
  expect(linesOf("Knot Resolver", { formats: ALL_FORMATS, target: "domain" })).toContain("our-names.rpz");
});

test("Squid and rbldnsd have lines for addresses and for names", () => {
  expect(linesOf("Squid", {})).toMatch(/^acl repute_our_names_\w{6} dst parameters\(/m);
  expect(linesOf("Squid", { target: "domain" })).toContain("'our-names.txt?below=1' squid -k reconfigure");
  expect(linesOf("rbldnsd", {})).toContain("bl.example:ip4trie:/etc/repute/our-names.rbl4");
});

const ALL_FORMATS = [
  ...["txt", "edl", "nft", "ipset", "rsc", "postfix", "nginx", "apache", "rpz", "rbl4", "rbl6", "rbldom"],
  ...["hosts", "adblock", "dnsmasq", "csv", "ndjson"],
].map((format) => ({ format }));

test.each([
  ["nftables", ["nftables-rules", "nftables-script", "nftables-load", "nftables-hourly"]],
  ["ipset", ["ipset-load", "ipset-script", "ipset-rules", "ipset-hourly"]],
])("%s has the lines of its page, which put back what was lost", (consumer, marks) => {
  const lines = linesOf(consumer, { name: "edge", formats: ALL_FORMATS });
  for (const mark of marks) expect(lines).toContain(marked(mark).trimEnd());
  const other = linesOf(consumer, { formats: ALL_FORMATS });
  expect(other.match(/\bour-names\./g)?.length).toBe(lines.match(/\bedge\./g)?.length);
  expect(other).not.toMatch(/\bedge\b/);
});

test("beside another export of addresses, nftables and ipset have sets of the export's own", () => {
  const one = { name: "our-own-rather-long-names", kind: "block", target: "ip", formats: ALL_FORMATS };
  const consumers = (others: readonly object[]) =>
    linesFor(Object(one), ORIGIN, Object(others)).filter(({ consumer }) => consumer.includes("beside"));
  const alone = [one, { ...one, name: "names", target: "domain" }, { ...one, name: "ours", kind: "allow" }];
  expect(consumers(alone)).toEqual([]);
  const beside = consumers([...alone, { ...one, name: "edge" }]);
  expect(beside.map(({ format }) => format)).toEqual(["nft", "ipset"]);
  for (const { lines, hourly, format } of beside) {
    for (const text of [lines, hourly])
      expect(text).toMatch(
        new RegExp(`repute-fetch '${one.name}\\.${format}\\?set=list_our_own_rath_\\w{6}' `),
      );
    expect(lines).not.toMatch(/second|edge/);
  }
});

test("no two exports share a set, a table, a variable or an acl, however long their names are or how alike", () => {
  const long = "our-own-rather-long-names";
  const names = [
    ...["edge", "our-names", `${long}-a`, `${long}-b`, `a${"-b".repeat(31)}`],
    // Names may have both, of which a variable has one alone.
    ...["edge-two", "edge_two", "a-b-c", "a_b-c", "a-b_c", "a_b_c"],
  ];
  const found = names.map((name) => {
    const one = Object({ name, kind: "block", target: "ip", formats: ALL_FORMATS });
    return linesFor(one, ORIGIN, Object([one, { ...one, name: "other" }]));
  });
  const own: Readonly<Record<string, RegExp>> = {
    "nftables, beside another export": /\?set=(\w{1,24})'/,
    "ipset, beside another export": /\?set=(\w{1,24})'/,
    // A name of a table has 31 characters at most, that of an acl 63.
    pf: /^table <(\w{1,31})>/,
    nginx: /^geo \$(\w+)/,
    Squid: /^acl (\w{1,63}) /m,
    rspamd: /^(\w+) /,
    "Another Repute": /key: (\w{1,64}),/,
  };
  for (const [consumer, name] of Object.entries(own)) {
    const labels = found.map(
      (all) => name.exec(all.find((one) => one.consumer === consumer)?.lines ?? "")?.[1],
    );
    expect(new Set(labels).size, consumer).toBe(names.length);
    expect(labels, consumer).not.toContain(undefined);
  }
  for (const { consumer, hourly } of found.flat())
    if (consumer === "pf") expect(hourly).toMatch(/pfctl -q -t repute_\w+ -T replace -f/);
});

test.each([
  ["pf", "pf.md", { formats: ALL_FORMATS }],
  ["nginx", "nginx.md", { formats: ALL_FORMATS }],
  ["Squid", "squid.md", {}],
])("of %s, the page has the names of the lines to paste", (consumer, page, more) => {
  const text = readFileSync(new URL(`../docs/consumers/${page}`, import.meta.url), "utf8");
  const [label = ""] = /repute_edge/.exec(linesOf(consumer, { name: "edge", ...more })) ?? [];
  expect(label).not.toBe("");
  expect(text).toContain(label);
  expect(text).not.toMatch(/<repute>|-t repute |\$repute_listed|repute_addresses/);
});

test("no shell takes the question mark of a file for a pattern", () => {
  const one = Object({ name: "edge", kind: "block", target: "ip", formats: ALL_FORMATS });
  const all = linesFor(one, ORIGIN, Object([one, { ...one, name: "other" }]));
  const asked = all
    .flatMap(({ fetch, lines, hourly }) => [fetch ?? "", lines, hourly ?? ""])
    .flatMap((text) => text.match(/repute-fetch \S*\?\S*/g) ?? []);
  expect(asked.length).toBeGreaterThan(5);
  for (const words of asked) expect(words).toMatch(/^repute-fetch '[^']+'$/);
});

test("lines for the shell stand apart from those for a file, and each says where it goes", () => {
  const block = { name: "edge", kind: "block", target: "ip", formats: ALL_FORMATS };
  for (const one of [block, { ...block, target: "domain" }, { ...block, kind: "allow" }])
    for (const { consumer, fetch, place, lines } of linesFor(Object(one), ORIGIN, Object([block]))) {
      const isShell = place === "As root:";
      expect([consumer, place], consumer).toEqual([consumer, expect.stringMatching(/^[A-Z].*:$/)]);
      expect(/^(?:repute-|cat |cp |sed |grep )/m.test(lines), consumer).toBe(isShell);
      if (fetch !== null) expect(fetch, consumer).toMatch(/^repute-fetch \S+ true$/);
    }
});

test("the first steps are those of the pages, for this service", () => {
  const script = (mark: string) => marked(mark).trimEnd().replace("http://127.0.0.1:8080", ORIGIN);
  expect(firstSteps(ORIGIN)).toBe(`${script("header")}\n${script("fetch")}`);
  expect(firstSteps(ORIGIN)).toContain(`url=${ORIGIN}\n`);
});

test("what is let through goes before what is blocked", () => {
  const allow = (consumer: string) => linesOf(consumer, { kind: "allow", formats: ALL_FORMATS });
  expect(allow("nftables")).toContain(marked("nftables-allow").trimEnd());
  expect(allow("ipset")).toContain(marked("ipset-allow").trimEnd().replaceAll("never-block", "our-names"));
});

test("beside all lines stands how often they run, and a page that says what happens while Repute is away", () => {
  const seen = new Set<string>();
  for (const kind of ["block", "allow"])
    for (const target of ["ip", "domain", "url", "email"]) {
      const one = Object({ name: "edge", kind, target, formats: ALL_FORMATS });
      for (const { consumer, hourly, note } of linesFor(one, ORIGIN)) {
        seen.add(consumer);
        expect(note.includes("the old file stays"), consumer).toBe(hourly !== null);
        if (hourly !== null) expect(hourly, consumer).toMatch(/repute-fetch '?edge\./);
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
