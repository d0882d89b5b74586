import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { feedTextOf } from "../feed-text.ts";
import { allFormats } from "./all.ts";
import type { DroppedRow, FormatOptions, RawEntry } from "./format.ts";

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
  rows(name, text, options).filter(
    (row): row is Extract<RawEntry, { value: string } | DroppedRow> => "value" in row || "dropped" in row,
  );

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

  test("NULs around an entry are padding, and a line of them alone is no entry", () => {
    expect(values("plain", "192.0.2.7\0\0\n192.0.2.8 \0\n\0\0\n")).toEqual([
      "192.0.2.7",
      "192.0.2.8",
      "\0\0",
    ]);
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

  test.each([
    ["192.0.2.0 255.255.255.0", "192.0.2.0/255.255.255.0", "a mask in a column of its own"],
    ["192.0.2.0\t0.0.0.255 blocked - by us", "192.0.2.0/0.0.0.255", "a mask of hosts with words behind it"],
    ["192.0.2.7 198.51.100.9", "192.0.2.7", "an address, and another one that is no mask"],
    ["192.0.2.7 255.0.255.0", "192.0.2.7", "an address, and a mask with a gap"],
    ["198.51.100.* # all of it", "198.51.100.*", "a wildcard"],
  ])("netset reads %j as %j: %s", (text, found) => expect(values("netset", text)).toEqual([found]));

  test("adblock takes whole sites only and heeds exceptions", () => {
    const text =
      "[Adblock Plus 2.0]\n! comment\n||bad.example^\n||All.example^$all\n||part.example^$script\n" +
      "||path.example/ad^\n##.banner\n||good.example^\n@@||good.example^\n||doc.example^$document,important\n" +
      "||*.wild.example^\n||end.example^|\n||a*.example^\n||x.example^$third-party\n||y.example|\n";
    const found = ["bad.example", "all.example", "doc.example", "*.wild.example", "end.example"];
    expect(values("adblock", text)).toEqual(found);
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
      text: "a,9,192.0.2.7\na,2.5,192.0.2.8\na,,192.0.2.9\na, 3e1 %,192.0.2.10\na,+2.60,192.0.2.11",
      options: { column: 2, where_min: { "1": 2.6 } },
      found: ["192.0.2.7", "192.0.2.10", "192.0.2.11"],
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

  test("csv drops an unclosed quote and reads on", () => {
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

  test("tags are lines without terminal codes", () => {
    const text = JSON.stringify([
      { ip: "192.0.2.7", tags: ["a\u001b[2Jb", "x\ny", "\u202egpj", "\u0007", "n".repeat(65)] },
    ]);
    const [entry] = parse("json", text, { field: "ip", tags: "tags" });
    expect(entry).toEqual({ value: "192.0.2.7", detail: { codes: ["a[2Jb", "gpj", "x y"] } });
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
