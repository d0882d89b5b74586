import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { feedTextOf } from "../feed-text.ts";
import { allFormats } from "./all.ts";
import type { FormatOptions, RawEntry, SkippedRow } from "./format.ts";

const formatNamed = (name: string) => {
  const format = allFormats.find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(`There is no format "${name}"`);
  return format;
};

const rows = (name: string, text: string | Uint8Array, options: FormatOptions = {}): RawEntry[] => [
  ...formatNamed(name).parse(feedTextOf(typeof text === "string" ? Buffer.from(text) : text), options),
];

/** Rows but for those that give no entry and are no fault. */
const parse = (name: string, text: string | Uint8Array, options: FormatOptions = {}) =>
  rows(name, text, options).filter((row): row is Exclude<RawEntry, SkippedRow> => !("skipped" in row));

const values = (name: string, text: string, options: FormatOptions = {}): string[] =>
  parse(name, text, options).map((entry) => ("value" in entry ? entry.value : `! ${entry.dropped}`));

describe("text formats", () => {
  test.each([
    { text: "192.0.2.7\n192.0.2.8", why: "LF, the last line without one" },
    { text: "192.0.2.7\r\n192.0.2.8\r\n", why: "CRLF" },
    { text: "192.0.2.7\r192.0.2.8\r", why: "CR alone" },
    { text: "\uFEFF192.0.2.7\n192.0.2.8", why: "a BOM" },
    { text: "# a\n; b\n// c\n\n  192.0.2.7 \n\t192.0.2.8\t\n", why: "comments, blanks, empty lines" },
    { text: "192.0.2.7 # x\n192.0.2.8 ; y", why: "trailing comments" },
    { text: "192.0.2.7 other\n192.0.2.8\tcolumns", why: "more tokens" },
  ])("plain reads one value a line: $why", ({ text }) => {
    expect(values("plain", text)).toEqual(["192.0.2.7", "192.0.2.8"]);
  });

  test("plain gives a trailing comment as the reason", () => {
    expect(parse("plain", "192.0.2.7 # scanner.example")).toEqual([
      { value: "192.0.2.7", detail: { reason: "scanner.example" } },
    ]);
  });

  test("a line longer than 4 KiB is dropped and the others stay", () => {
    const entries = parse("plain", `192.0.2.7\n${"a".repeat(5000)}\n192.0.2.8`);
    expect(entries).toHaveLength(3);
    expect(entries[1]).toEqual({ dropped: "a".repeat(120) });
  });

  test("one endless line of 30 MB is one dropped row", () => {
    expect(parse("plain", `${"b".repeat(30_000_000)}\r\n192.0.2.8`)).toHaveLength(2);
  });

  test("Latin-1 text is read where UTF-8 is broken", () => {
    expect(parse("plain", Buffer.from([0x62, 0xfc, 0x2e, 0x64, 0x65]))).toEqual([{ value: "bü.de" }]);
  });

  test("netset reads ranges with and without blanks, and p2p rows", () => {
    const text =
      "192.0.2.0/24 ; SBL1\n198.51.100.4-198.51.100.9\n198.51.100.4 - 198.51.100.9\nBad: 2:10.0.0.1-10.0.0.9\n";
    expect(values("netset", text.replace("Bad: 2", "Bad"))).toEqual([
      "192.0.2.0/24",
      "198.51.100.4-198.51.100.9",
      "198.51.100.4-198.51.100.9",
      "10.0.0.1-10.0.0.9",
    ]);
  });

  test("hosts takes the names behind a sink and passes local names over", () => {
    const text =
      "127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 0.0.0.0\nff02::1 ip6-allnodes\n" +
      "0.0.0.0 bad.example\n127.0.0.1\tworse.example www.worse.example # scam\n192.0.2.1 real.example\n";
    expect(values("hosts", text)).toEqual([
      "bad.example",
      "worse.example",
      "www.worse.example",
      "! 192.0.2.1 real.example",
    ]);
  });

  test("adblock takes whole sites only and heeds exceptions", () => {
    const text =
      "[Adblock Plus 2.0]\n! comment\n||bad.example^\n||All.example^$all\n||part.example^$script\n" +
      "||path.example/ad^\n##.banner\n||good.example^\n@@||good.example^\n||doc.example^$document,important\n";
    expect(values("adblock", text)).toEqual(["bad.example", "all.example", "doc.example"]);
  });

  test("hostport drops ports, schemes and brackets", () => {
    const text = "192.0.2.7:1080\nsocks5://[2001:db8::7]:1080\nhttp://u:p@192.0.2.9:80/\n2001:db8::8\n";
    expect(values("hostport", text)).toEqual(["192.0.2.7", "2001:db8::7", "192.0.2.9", "2001:db8::8"]);
  });

  test("ipsum keeps rows between its bounds and says the count", () => {
    const text = "# IP\tcount\n192.0.2.7\t9\n192.0.2.8\t4\n192.0.2.9\t2\nbroken\n";
    expect(parse("ipsum", text, { min_count: 3, max_count: 4 })).toEqual([
      { value: "192.0.2.8", detail: { reason: "Named by 4 lists" } },
      { dropped: "broken" },
    ]);
  });
});

describe("csv", () => {
  test.each<{ text: string; options: FormatOptions; found: string[]; why: string }>([
    { text: "192.0.2.7,x\n192.0.2.8,y", options: {}, found: ["192.0.2.7", "192.0.2.8"], why: "first column" },
    {
      text: '2026-11-20,8.1,"https://bad.example/a,b",192.0.2.7\n2026-11-20,5.0,"say ""hi""",192.0.2.8',
      options: { column: 2 },
      found: ["https://bad.example/a,b", 'say "hi"'],
      why: "quotes",
    },
    {
      text: "id;IP\n1;192.0.2.7",
      options: { delimiter: ";", column: "ip" },
      found: ["192.0.2.7"],
      why: "header",
    },
    {
      text: "# id, ip\n1, 192.0.2.7",
      options: { column: "ip" },
      found: ["192.0.2.7"],
      why: "header in a comment",
    },
    {
      text: "a,kind\n192.0.2.7,ip\nx.example,url",
      options: { column: "a", where: { kind: "url" } },
      found: ["x.example"],
      why: "where",
    },
    {
      text: "a,9,192.0.2.7\na,2.5,192.0.2.8\na,,192.0.2.9",
      options: { column: 2, where_min: { "1": 2.6 } },
      found: ["192.0.2.7"],
      why: "where_min",
    },
    {
      text: "a.example,b.example,\n",
      options: { one_line: true },
      found: ["a.example", "b.example"],
      why: "one_line",
    },
    {
      text: '"3221225984","3221225991",x',
      options: { column: [0, 1], int_range: true },
      found: ["192.0.2.0-192.0.2.7"],
      why: "int_range",
    },
    { text: "192.0.2.7:80", options: { strip_port: true }, found: ["192.0.2.7"], why: "strip_port" },
    { text: "//x\n192.0.2.7", options: { comment: "//" }, found: ["192.0.2.7"], why: "comment" },
    {
      text: '"two\nlines",192.0.2.7',
      options: { column: 1 },
      found: ["192.0.2.7"],
      why: "a quoted line end",
    },
    { text: "a\n1,", options: { column: 1 }, found: ["! a", "! 1,"], why: "an empty value is dropped" },
  ])("reads $why", ({ text, options, found }) => {
    expect(values("csv", text, options)).toEqual(found);
  });

  test("csv refuses a file whose header lacks the column", () => {
    expect(() => values("csv", "id,name\n1,x", { column: "ip" })).toThrow('The header has no column "ip"');
  });

  test("csv drops a quote that nobody closes and reads on", () => {
    const rows = Array.from({ length: 800 }, (_, i) => `192.0.2.${i % 250}`).join("\n");
    const found = values("csv", `"open\n${rows}`);
    expect(found.filter((value) => !value.startsWith("!")).length).toBeGreaterThan(300);
  });
});

describe("json formats", () => {
  test.each<{ document: unknown; options: FormatOptions; found: string[]; why: string }>([
    { document: ["a.example", "b.example"], options: {}, found: ["a.example", "b.example"], why: "an array" },
    {
      document: { deny: ["a.example", "b.example"], allow: ["b.example"] },
      options: { path: "$.deny[*]", allow_path: "$.allow[*]" },
      found: ["a.example"],
      why: "allow_path",
    },
    {
      document: [
        { ip_address: "192.0.2.7", status: "online" },
        { ip_address: "192.0.2.8", status: "offline" },
      ],
      options: { path: "$[*]", field: "ip_address", where: { status: "online" } },
      found: ["192.0.2.7"],
      why: "field and where",
    },
    {
      document: { regions: { a: [{ v4: "192.0.2.7", v6: "2001:db8::7" }], b: [{ v4: "192.0.2.8" }, {}] } },
      options: { path: "$.regions.*[*]", field: ["v4", "v6"] },
      found: ["192.0.2.7", "2001:db8::7", "192.0.2.8", "! {}"],
      why: ".* and a list of fields",
    },
    {
      document: { or: [["192.0.2.7:9001", "[2001:db8::7]:9001"]] },
      options: { path: "$.or[*]", strip_port: true },
      found: ["192.0.2.7", "2001:db8::7"],
      why: "strip_port and arrays of arrays",
    },
  ])("json reads $why", ({ document, options, found }) => {
    expect(values("json", JSON.stringify(document), options)).toEqual(found);
  });

  test("json reads the first line where a signature follows", () => {
    expect(values("json", '["a.example"]\nc2lnbmF0dXJl', { first_line: true })).toEqual(["a.example"]);
  });

  test.each([
    { text: "{", why: "broken" },
    { text: `${"[".repeat(100_000)}`, why: "nested too deep" },
    { text: '{"a":[]}', why: "nothing at its path" },
  ])("json refuses a document that is $why", ({ text }) => {
    expect(() => values("json", text, { path: "$.list[*]" })).toThrow();
  });

  test.each(["__proto__", "constructor", "toString"])("json takes the member %s for data", (name) => {
    expect(values("json", "[{}]", { field: name })).toEqual(["! {}"]);
    expect(values("json", `[{"${name}":"a.example"}]`, { field: name })).toEqual(["a.example"]);
  });

  test("ndjson skips header objects, drops broken lines, and reads the rest", () => {
    const text = '{"type":"metadata","records":1}\n{"cidr":"192.0.2.0/24"}\n{"cidr":\n{"other":1}\n';
    expect(values("ndjson", text, { field: "cidr", skip_if_field: "type" })).toEqual([
      "192.0.2.0/24",
      '! {"cidr":',
      "! {other}",
    ]);
  });

  test("misp_warninglist reads the members of list", () => {
    expect(values("misp_warninglist", '{"name":"x","list":["192.0.2.0/24",".a.example"]}')).toEqual([
      "192.0.2.0/24",
      ".a.example",
    ]);
    expect(() => values("misp_warninglist", '{"name":"x"}')).toThrow('no array "list"');
  });
});

describe("no row goes uncounted", () => {
  test.each<{ format: string; text: string; options?: FormatOptions; skipped: string; why: string }>([
    {
      format: "ipsum",
      text: "192.0.2.7 2",
      options: { min_count: 3 },
      skipped: "filtered",
      why: "too few lists",
    },
    {
      format: "csv",
      text: "ip,type\n192.0.2.7,a",
      options: { column: "ip", where: { type: "b" } },
      skipped: "filtered",
      why: "another value in a column",
    },
    {
      format: "csv",
      text: "192.0.2.7",
      options: { where: { "3": "b" } },
      skipped: "no_value",
      why: "a row without the column",
    },
    {
      format: "csv",
      text: "192.0.2.7,3",
      options: { where_min: { "1": 5 } },
      skipped: "filtered",
      why: "a smaller number",
    },
    {
      format: "csv",
      text: "192.0.2.7,x",
      options: { where_min: { "1": 5 } },
      skipped: "no_value",
      why: "no number at all",
    },
    { format: "csv", text: ",,", options: { one_line: true }, skipped: "no_value", why: "blank fields" },
    {
      format: "ndjson",
      text: '{"ip":"192.0.2.7","type":"a"}',
      options: { field: "ip", where: { type: "b" } },
      skipped: "filtered",
      why: "another value in a member",
    },
    {
      format: "ndjson",
      text: '{"ip":"192.0.2.7"}',
      options: { field: "ip", where: { type: "b" } },
      skipped: "no_value",
      why: "an object without the member",
    },
    {
      format: "ndjson",
      text: '{"ip":""}',
      options: { field: "ip" },
      skipped: "no_value",
      why: "a blank text",
    },
    {
      format: "ndjson",
      text: '{"ip":"192.0.2.7"}',
      options: { field: "ip", skip_if_field: "ip" },
      skipped: "no_value",
      why: "an entry that is called a header",
    },
    { format: "json", text: "[[]]", skipped: "no_value", why: "an empty list" },
    {
      format: "json",
      text: '["192.0.2.7"]',
      options: { allow_path: "$[*]" },
      skipped: "filtered",
      why: "a value to be left out",
    },
    { format: "misp_warninglist", text: '{"list":[""]}', skipped: "no_value", why: "a blank text" },
    { format: "adblock", text: "a.example##.ad", skipped: "no_value", why: "a rule about parts of pages" },
    { format: "adblock", text: "@@||a.example^", skipped: "filtered", why: "an exception" },
    { format: "hosts", text: "127.0.0.1 localhost", skipped: "filtered", why: "a local name" },
    {
      format: "snort_rules",
      text: "alert ip any any -> any any",
      skipped: "no_value",
      why: "a rule of no address",
    },
    { format: "tor_exit_addresses", text: "ExitNode 0011", skipped: "no_value", why: "a relay's name" },
  ])("$format: $why", ({ format, text, options, skipped }) => {
    expect(rows(format, text, options)).toEqual([{ skipped }]);
  });

  test.each([
    ["adblock", "[Adblock Plus 2.0]\n! Title: a\n"],
    ["ndjson", '{"type":"metadata"}\n'],
    ["dshield_block", "Start\tEnd\n"],
  ])("%s has none in %j", (format, text) => {
    expect(rows(format, text, { skip_if_field: "type", field: "ip" })).toEqual([]);
  });
});

test.each(allFormats.map(({ name }) => name))(
  "%s never throws anything but InvalidValue on garbage",
  (name) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        try {
          for (const row of rows(name, bytes))
            expect(Object.keys(row)[0]).toMatch(/^(value|dropped|skipped)$/);
        } catch (error) {
          expect(error).toHaveProperty("reason");
        }
      }),
      { numRuns: 200 },
    );
  },
);
