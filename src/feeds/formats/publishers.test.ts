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

describe("formats of single publishers", () => {
  test("abusech_csv finds its header in the comment block, and the publisher's dates and tags", () => {
    const text = `# abuse.ch
# "id","dateadded","url","url_status","tags"
"17", "2026-11-20 09:10:11", "http://192.0.2.8/x.sh", "online", "elf,Mirai"
"18", "soon", "http://192.0.2.9/a,b", "offline", "None"
`;
    const options = { column: "url", first_seen: "dateadded", tags: "tags" };
    expect(parse("abusech_csv", text, options)).toEqual([
      {
        value: "http://192.0.2.8/x.sh",
        detail: { codes: ["Mirai", "elf"], firstSeen: "2026-11-20T09:10:11Z" },
      },
      { value: "http://192.0.2.9/a,b" },
    ]);
    expect(values("abusech_csv", text, { column: "url", where: { url_status: "offline" } })).toEqual([
      "http://192.0.2.9/a,b",
    ]);
  });

  test("json reads servers of VPN providers: a member of each, and any depth before a signature", () => {
    const nord = '[{"name":"de1","station":"192.0.2.7"},{"name":"de2","station":"192.0.2.8"}]';
    expect(values("json", nord, { path: "$[*]", field: "station" })).toEqual(["192.0.2.7", "192.0.2.8"]);
    const pia =
      '{"groups":{"wg":[{"ports":[1337]}]},"regions":[{"id":"de","servers":{"wg":[{"ip":"192.0.2.7","cn":"a"}],' +
      '"ovpntcp":[{"ip":"192.0.2.8","cn":"b"}]}}]}\n\nc2lnbmF0dXJl\n';
    const options = { first_line: true, path: "$.regions[*].servers.*[*].ip" };
    expect(values("json", pia, options)).toEqual(["192.0.2.7", "192.0.2.8"]);
  });

  test.each<[format: string, text: string, published: string, dates: string[]]>([
    ["json", '{"generated":"2026-11-20T10:00:00Z","ips":[]}', "generated", ["2026-11-20T10:00:00Z"]],
    ["json", '{"meta":{"made":1795168800},"ips":[]}', "meta.made", ["2026-11-20T10:00:00Z"]],
    ["json", '{"generated":"soon","ips":[]}', "generated", []],
    ["json", '{"ips":[{"generated":"2026-11-20"}]}', "generated", []],
    ["json", '{"ips":[]}', "__proto__.generated", []],
    ["ndjson", '{"type":"head","at":"2026-11-20"}\n{"ip":"192.0.2.7"}', "at", ["2026-11-20T00:00:00Z"]],
    ["ndjson", '{"ip":"192.0.2.7"}\n{"type":"end","at":1795168800}', "at", ["2026-11-20T10:00:00Z"]],
    ["ndjson", '{"ip":"192.0.2.7","at":"2026-11-20"}', "at", []],
    ["ndjson", '{"type":"x","ip":"192.0.2.7","at":"2026-11-20"}', "at", []],
  ])("%s: in %s the member %s dates the list %j", (format, text, published, dates) => {
    const options = {
      published,
      field: "ip",
      ...(format === "json" ? { path: "$.ips[*]" } : { skip_if_field: "type" }),
    };
    const found = rows(format, text, options).flatMap((row) => ("published" in row ? [row.published] : []));
    expect(found).toEqual(dates);
  });

  test("json and ndjson take dates, tags and notes from members of the row", () => {
    const row = { ip: "192.0.2.7", seen: 1_763_632_800, tags: ["c2", 7, "c2"], sbl: "SBL1" };
    const expected = [
      { value: "192.0.2.7", detail: { codes: ["c2"], reason: "SBL1", lastSeen: "2025-11-20T10:00:00Z" } },
    ];
    const options = { field: "ip", last_seen: "seen", tags: "tags", note: "sbl" };
    expect(parse("json", JSON.stringify([row]), options)).toEqual(expected);
    expect(parse("ndjson", JSON.stringify(row), options)).toEqual(expected);
  });

  test.each([
    { options: {}, expected: ["192.0.2.7", "3456"], why: "the first column" },
    { options: { column: 1 }, expected: ["2026-11-20", "198.51.100.8"], why: "a numbered one" },
    {
      options: { first_address: true },
      expected: ["192.0.2.7", "198.51.100.8"],
      why: "whatever is an address",
    },
  ])("table takes $why", ({ options, expected }) => {
    expect(values("table", "192.0.2.7\t 2026-11-20 12 # note\n3456   198.51.100.8\n", options)).toEqual(
      expected,
    );
  });

  test("dshield_block joins start and length, and passes over its header", () => {
    const text =
      "# block list\nStart\tEnd\tNetmask\tAttacks\n192.0.2.0\t192.0.2.255\t24\t2712\tEXAMPLE\tXX\nwhat\n";
    expect(values("dshield_block", text)).toEqual(["192.0.2.0/24", "! what"]);
  });

  test("snort_rules takes addresses from brackets, and names only where the whole name is compared", () => {
    const ips =
      'alert ip $HOME_NET any -> [192.0.2.7,192.0.2.8] any (msg:"C2"; sid:1;)\nalert tcp any any -> any any (sid:2;)';
    expect(values("snort_rules", ips)).toEqual(["192.0.2.7", "192.0.2.8"]);
    const names =
      'alert dns any any -> any any (dns.query; content:"bad.example"; bsize:11; sid:2;)\n' +
      'alert dns any any -> any any (dns.query; content:".part.example"; endswith; sid:3;)';
    expect(values("snort_rules", names, { kind: "dns" })).toEqual(["bad.example"]);
  });

  test("tor_exit_addresses takes the measured addresses with their time", () => {
    const text =
      "ExitNode 0011BD24\nPublished 2026-11-20 08:00:00\nExitAddress 192.0.2.7 2026-11-20 09:10:11\n";
    expect(parse("tor_exit_addresses", text)).toEqual([
      { value: "192.0.2.7", detail: { lastSeen: "2026-11-20T09:10:11Z" } },
    ]);
  });

  test("geofeed takes the network of each row", () => {
    expect(values("geofeed", "# RFC 8805\n192.0.2.0/24,DE,DE-BE,Berlin,\n2001:db8::/45,US,,,\n")).toEqual([
      "192.0.2.0/24",
      "2001:db8::/45",
    ]);
  });
});
