import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { feedTextOf } from "../feed-text.ts";
import { allFormats } from "./all.ts";
import type { FormatOptions, RawEntry } from "./format.ts";

const rows = (name: string, text: string, options: FormatOptions = {}): RawEntry[] => [
  ...(allFormats.find((format) => format.name === name)?.parse(feedTextOf(Buffer.from(text)), options) ?? []),
];

const values = (name: string, text: string, options: FormatOptions = {}): string[] =>
  rows(name, text, options).flatMap((row) => ("value" in row ? [row.value] : []));

describe("dropping ports", () => {
  const networks = ["192.0.2.0/24", "2001:db8::/48", "192.0.2.0/255.255.255.0", "192.0.2.1-192.0.2.9"];
  test.each(networks)("leaves the network %s a network", (network) => {
    const options = { field: "ip", column: "ip", strip_port: true };
    expect(values("hostport", `${network}\n`)).toEqual([network]);
    expect(values("csv", `ip\n${network}\n`, { column: "ip", strip_port: true })).toEqual([network]);
    expect(values("json", JSON.stringify([{ ip: network }]), options)).toEqual([network]);
    expect(values("ndjson", JSON.stringify({ ip: network }), options)).toEqual([network]);
  });

  test("takes the path of a URL for no prefix", () => {
    expect(values("hostport", "http://192.0.2.7/24\n192.0.2.8:80/24x\n")).toEqual(["192.0.2.7", "192.0.2.8"]);
  });
});

describe("snort_rules", () => {
  test.each([
    ["alert tcp $HOME_NET [1024:65535] -> [192.0.2.7, 192.0.2.8] 443", ["192.0.2.7", "192.0.2.8"]],
    [
      "alert tcp $EXTERNAL_NET [80,443] -> [2001:db8::/32,192.0.2.0/24] any",
      ["2001:db8::/32", "192.0.2.0/24"],
    ],
    ["alert tcp 192.0.2.7 any -> $HOME_NET any", ["192.0.2.7"]],
    ["alert tcp $HOME_NET any -> 192.0.2.7 [80,443]", ["192.0.2.7"]],
    ["alert ip [192.0.2.0/24,!192.0.2.9] any -> $HOME_NET any", ["192.0.2.0/24", "!192.0.2.9"]],
    ["alert ip ![192.0.2.0/24] any -> [198.51.100.7] any", ["198.51.100.7"]],
    ["alert ip $EXTERNAL_NET any -> $HOME_NET any", []],
    ["alert ip any any <> [::7] any", ["::7"]],
  ])("%s names %j", (head, named) => {
    expect(values("snort_rules", `${head} (msg:"as [203.0.113.9]"; sid:1;)\n`)).toEqual(named);
  });

  test("names what a rule of any shape has at one of its sides, and no port or word of its text", () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    const ports = fc.constantFrom(
      "any",
      "443",
      "[80,443]",
      "[1024:65535]",
      "!80",
      "$HTTP_PORTS",
      "[1:, !22]",
    );
    const own = fc.constantFrom("$HOME_NET", "any", "[$HOME_NET,$DMZ]", "!$HOME_NET");
    const list = fc.array(address, { minLength: 1, maxLength: 5 });
    const parts = fc.record({
      list,
      ports,
      others: ports,
      own,
      blank: fc.constantFrom("", " "),
      isSource: fc.boolean(),
    });
    const check = fc.property(parts, (rule) => {
      const side = `[${rule.list.join(`,${rule.blank}`)}]`;
      const [from, to] = rule.isSource ? [side, rule.own] : [rule.own, side];
      const head = `alert tcp ${from} ${rule.ports} -> ${to} ${rule.others}`;
      expect(values("snort_rules", `${head} (msg:"[203.0.113.9]"; sid:1;)\n`)).toEqual(rule.list);
    });
    fc.assert(check);
  });

  test.each([
    ['dns.query; bsize:12; content:"evil.example"; nocase;', ["evil.example"]],
    ['dns_query; content:"evil.example"; nocase; endswith; bsize:12;', ["evil.example"]],
    ['dns.query; http.host; content:"evil.example"; bsize:12;', []],
    ['dns.query; content:!"evil.example"; bsize:12;', []],
  ])("of names, the rule %s names %j", (part, named) => {
    const rule = `alert dns $HOME_NET any -> any any (msg:"x"; ${part} sid:1;)\n`;
    expect(values("snort_rules", rule, { kind: "dns" })).toEqual(named);
  });
});

describe("a CSV header in a comment", () => {
  test.each([
    ['# "seen","ip","tags"\n"2026-11-20 09:10:11", "192.0.2.7", "elf"\n', ","],
    ["#seen,ip,tags\n2026-11-20 09:10:11,192.0.2.7,elf\n", ","],
    ["# seen\tip\ttags\n2026-11-20 09:10:11\t192.0.2.7\telf\n", "\t"],
    ["#\tseen\tip\ttags\n1\t2026-11-20 09:10:11\t192.0.2.7\telf\n", "\t"],
  ])("tells every column of %j", (text, delimiter) => {
    const options = { column: "ip", first_seen: "seen", tags: "tags", delimiter };
    const detail = { codes: ["elf"], firstSeen: "2026-11-20T09:10:11Z" };
    expect(rows("csv", text, options)).toEqual([{ value: "192.0.2.7", detail }]);
    expect(values("csv", text, { column: "ip", delimiter, where: { seen: "2026-11-21" } })).toEqual([]);
  });

  test("behind a sign of the list's own", () => {
    expect(values("csv", '; "ip","x"\n192.0.2.7,1\n', { column: "ip", comment: ";" })).toEqual(["192.0.2.7"]);
  });
});

describe("adblock", () => {
  test.each([
    ["||bad.example:8080^", []],
    ["||[2001:db8::7]:8080^", []],
    ["||[2001:db8::7]^", ["[2001:db8::7]"]],
    ["||bücher.example^\n@@||xn--bcher-kva.example^", []],
    ["@@||BÜCHER.example^\n||www.xn--bcher-kva.example^", []],
    ["||bad.example^\n||bad.example^$badfilter", []],
    ["||bad.example^$badfilter\n||bad.example^\n||www.bad.example^", ["www.bad.example"]],
    ["||bad.example^$important\n||bad.example^$badfilter", ["bad.example"]],
    ["||bad.example^\n@@||bad.example^\n@@||bad.example^$badfilter", ["bad.example"]],
  ])("the rules %j name %j", (text, named) => expect(values("adblock", `${text}\n`)).toEqual(named));
});

describe("what a JSON list allows", () => {
  const options = { path: "$.deny[*]", allow_path: "$.allow[*]" };
  test.each([
    ["Good.example", "good.example"],
    ["good.example", "GOOD.example."],
    ["bücher.example", "xn--bcher-kva.example"],
    ["http://good.example/a", "HTTP://Good.example:80/a#x"],
    ["Bob@good.example", "bob@GOOD.example"],
    ["192.0.2.7", "192.0.2.7"],
  ])("is left out, however it is spelled: %s, %s", (allow, deny) => {
    expect(values("json", JSON.stringify({ allow: [allow], deny: [deny] }), options)).toEqual([]);
  });

  test.each([
    ["http://good.example/a", "http://good.example/A"],
    ["good.example", "http://good.example/a"],
    ["bob@good.example", "good.example"],
    ["good.example", "bad.good.example"],
  ])("%s does not allow %s", (allow, deny) => {
    expect(values("json", JSON.stringify({ allow: [allow], deny: [deny] }), options)).toEqual([deny]);
  });

  test("of names also excepts what is below one that is denied", () => {
    const text = JSON.stringify({ allow: ["good.bad.example", "http://x.example/a"], deny: ["bad.example"] });
    expect(rows("json", text, options)).toEqual([{ excepted: "good.bad.example" }, { value: "bad.example" }]);
  });
});

test("a geofeed's networks may stand in quotes", () => {
  expect(values("geofeed", '"192.0.2.0/24",US,,,\n192.0.3.0/24,DE\n')).toEqual([
    "192.0.2.0/24",
    "192.0.3.0/24",
  ]);
});
