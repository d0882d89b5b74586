import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DnsRecord } from "../../net/dns/dns-types.ts";
import { isDelegated } from "./ds-match.ts";
import { keyTagOf } from "./key-tag.ts";
import { recordObject, sortedRecords } from "./records.ts";

const recordOf = (record: object): DnsRecord => ({ name: "example.com", ttl: 60, ...record }) as DnsRecord;
const octets = (latin1: string) => Buffer.from(latin1, "latin1");

describe("recordObject()", () => {
  test.each<[string, object, object]>([
    ["A", { data: "192.0.2.1" }, { value: "192.0.2.1", address: "192.0.2.1" }],
    ["AAAA", { data: "2001:db8::1" }, { value: "2001:db8::1", address: "2001:db8::1" }],
    ["CNAME", { data: "a.example" }, { value: "a.example", target: "a.example" }],
    ["NS", { data: "ns.example" }, { value: "ns.example", target: "ns.example" }],
    ["PTR", { data: "host.example" }, { value: "host.example", target: "host.example" }],
    [
      "MX",
      { data: { preference: 10, exchange: "mx.example" } },
      { value: "10 mx.example", priority: 10, exchange: "mx.example" },
    ],
    ["MX", { data: { preference: 0, exchange: "." } }, { value: "0 .", priority: 0, exchange: "." }],
    [
      "TXT",
      { data: [octets("v=spf1 "), octets("-all")] },
      { value: "v=spf1 -all", strings: ["v=spf1 ", "-all"] },
    ],
    ["TXT", { data: [octets("a\xff\\")] }, { value: "a\\255\\", strings: ["a\\255\\"] }],
    [
      "TXT",
      { data: [octets("k=\\a\\;"), octets('"b"')] },
      { value: 'k=\\a\\;"b"', strings: ["k=\\a\\;", '"b"'] },
    ],
    ["TXT", { data: [octets("\xc3"), octets("\xbc")] }, { value: "ü", strings: ["\\195", "\\188"] }],
    ["TXT", { data: [] }, { value: "", strings: [] }],
    [
      "SOA",
      {
        data: {
          mname: "ns.example",
          rname: "a\\.b.example",
          serial: 1,
          refresh: 2,
          retry: 3,
          expire: 4,
          minimum: 5,
        },
      },
      {
        value: "ns.example a\\.b.example 1 2 3 4 5",
        mname: "ns.example",
        rname: "a\\.b.example",
        serial: 1,
        refresh: 2,
        retry: 3,
        expire: 4,
        minimum: 5,
      },
    ],
    [
      "CAA",
      { data: { flags: 128, tag: "issue", value: "ca.example\u001b[2J" } },
      { value: "128 issue ca.example\\027[2J", flags: 128, tag: "issue", content: "ca.example\\027[2J" },
    ],
    [
      "SRV",
      { data: { priority: 1, weight: 2, port: 5060, target: "sip.example" } },
      { value: "1 2 5060 sip.example", priority: 1, weight: 2, port: 5060, target: "sip.example" },
    ],
    [
      "DS",
      { data: { keyTag: 60485, algorithm: 5, digestType: 1, digest: octets("\x2b\xb1") } },
      { value: "60485 5 1 2BB1", key_tag: 60485, algorithm: 5, digest_type: 1, digest: "2BB1" },
    ],
    [
      "DNSKEY",
      { data: { flags: 257, algorithm: 13, key: octets("abc") } },
      {
        value: "257 3 13 YWJj",
        flags: 257,
        protocol: 3,
        algorithm: 13,
        public_key: "YWJj",
        key_tag: 51312,
      },
    ],
    [
      "TLSA",
      { data: { usage: 3, selector: 1, matchingType: 1, certificate: octets("\xd2\xab") } },
      { value: "3 1 1 D2AB", usage: 3, selector: 1, matching_type: 1, data: "D2AB" },
    ],
    [
      "HTTPS",
      {
        data: {
          priority: 1,
          target: ".",
          params: { alpn: ["h2", "h3"], port: 8443, "no-default-alpn": true },
        },
      },
      {
        value: "1 . alpn=h2,h3 port=8443 no-default-alpn",
        priority: 1,
        target: ".",
        params: { alpn: ["h2", "h3"], port: 8443, "no-default-alpn": true },
      },
    ],
    [
      "SVCB",
      { data: { priority: 0, target: "a.example", params: {} } },
      { value: "0 a.example", priority: 0, target: "a.example", params: {} },
    ],
    [
      "NAPTR",
      {
        data: {
          order: 100,
          preference: 50,
          flags: "u",
          services: "E2U+sip",
          regexp: "!^.*$!sip:a@example!",
          replacement: ".",
        },
      },
      {
        value: "100 50 u E2U+sip !^.*$!sip:a@example! .",
        order: 100,
        preference: 50,
        flags: "u",
        service: "E2U+sip",
        regexp: "!^.*$!sip:a@example!",
        replacement: ".",
      },
    ],
    [
      "NAPTR",
      {
        data: {
          order: 1,
          preference: 2,
          flags: "u",
          services: "E2U+sip",
          regexp: "!^(.*)$!sip:\\1@example!",
          replacement: ".",
        },
      },
      {
        value: "1 2 u E2U+sip !^(.*)$!sip:\\1@example! .",
        order: 1,
        preference: 2,
        flags: "u",
        service: "E2U+sip",
        regexp: "!^(.*)$!sip:\\1@example!",
        replacement: ".",
      },
    ],
    [
      "CAA",
      { data: { flags: 0, tag: "issue", value: 'ca.example; a="\\"' } },
      { value: '0 issue ca.example; a="\\"', flags: 0, tag: "issue", content: 'ca.example; a="\\"' },
    ],
  ])("gives %s of %j its parsed fields", (type, record, expected) => {
    expect(recordObject(recordOf({ type, ...record }))).toEqual({
      name: "example.com",
      type,
      ttl: 60,
      ...expected,
    });
  });

  test("gives nothing for a type that is never asked for", () => {
    expect(recordObject(recordOf({ type: "DNAME", data: "a.example" }))).toBeNull();
  });
});

describe("sortedRecords()", () => {
  const values = (records: readonly object[]) =>
    sortedRecords(records.map((record) => recordObject(recordOf(record)) ?? expect.fail())).map(
      ({ value }) => value,
    );
  const mx = (preference: number, exchange: string) => ({ type: "MX", data: { preference, exchange } });
  test.each<[string, readonly object[], readonly string[]]>([
    [
      "MX by priority as a number, then by name",
      [mx(10, "b"), mx(9, "z"), mx(10, "a")],
      ["9 z", "10 a", "10 b"],
    ],
    [
      "A by value",
      [
        { type: "A", data: "9.0.0.1" },
        { type: "A", data: "10.0.0.1" },
      ],
      ["10.0.0.1", "9.0.0.1"],
    ],
    [
      "HTTPS by priority",
      [2, 0, 10].map((priority) => ({ type: "HTTPS", data: { priority, target: ".", params: {} } })),
      ["0 .", "2 .", "10 ."],
    ],
    [
      "SRV by priority",
      [10, 9].map((priority) => ({ type: "SRV", data: { priority, weight: 0, port: 1, target: "a" } })),
      ["9 0 1 a", "10 0 1 a"],
    ],
    [
      "NAPTR by value, as all without a priority",
      [
        [2, 1],
        [1, 20],
        [1, 3],
      ].map(([order, preference]) => ({
        type: "NAPTR",
        data: { order, preference, flags: "", services: "", regexp: "", replacement: "a" },
      })),
      ["1 20    a", "1 3    a", "2 1    a"],
    ],
  ])("sorts %s", (_, records, expected) => {
    expect(values(records)).toEqual(expected);
  });

  test("gives one order, whatever the order on the wire", () => {
    const exchange = fc.record({
      preference: fc.integer({ min: 0, max: 3 }),
      exchange: fc.constantFrom("a", "b", "c"),
    });
    fc.assert(
      fc.property(fc.array(exchange), (list) => {
        const records = list.map((data) => ({ type: "MX", data }));
        expect(values(records)).toEqual(values(records.toReversed()));
      }),
    );
  });
});

// The key and its DS records of RFC 4034 5.4 and RFC 4509 2.3.
const KEY = {
  flags: 256,
  algorithm: 5,
  key: Buffer.from(
    "AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvx" +
      "egXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==",
    "base64",
  ),
};
const ds = (digestType: number, digest: string, keyTag = 60485) => ({
  keyTag,
  algorithm: 5,
  digestType,
  digest: Buffer.from(digest, "hex"),
});
const SHA1 = "2BB183AF5F22588179A53B0A98631FAD1A292118";
const SHA256 = "D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A";

describe("keyTagOf()", () => {
  test("is the key tag of RFC 4034's example", () => {
    expect(keyTagOf(KEY)).toBe(60485);
  });

  test("takes it from the modulus of an RSA/MD5 key, and 0 from one too short", () => {
    expect(keyTagOf({ flags: 256, algorithm: 1, key: Buffer.from([1, 2, 3, 4, 5]) })).toBe(0x0304);
    expect(keyTagOf({ flags: 256, algorithm: 1, key: Buffer.from([1]) })).toBe(0);
  });
});

describe("isDelegated()", () => {
  const name = "dskey.example.com";
  test.each([
    ["SHA-1", [ds(1, SHA1)], [KEY], true],
    ["SHA-256", [ds(2, SHA256)], [KEY], true],
    ["one of several", [ds(2, SHA256.replace("D", "0")), ds(1, SHA1)], [KEY], true],
    ["another digest", [ds(2, SHA256.replace("D", "0"))], [KEY], false],
    ["another tag", [ds(2, SHA256, 1)], [KEY], false],
    ["no key", [ds(2, SHA256)], [], false],
    ["a key that is none of a zone", [ds(2, SHA256)], [{ ...KEY, flags: 0 }], false],
    ["a digest of an unknown kind", [ds(3, SHA256)], [KEY], null],
    ["more keys of one tag than anybody has", Array.from({ length: 65 }, () => ds(2, "00")), [KEY], null],
  ])("judges %s", (_, records, keys, expected) => {
    expect(isDelegated(name, records, keys)).toBe(expected);
  });
});
