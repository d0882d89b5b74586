import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cidrContains, parseCidr } from "./cidr.ts";
import { type Ip, ipv4Of, ipv6Of, parseIp } from "./ip.ts";
import { specialPurposeOf } from "./special-purpose.ts";

/** Design 5.1 as data, narrowest first where ranges nest; null: an exempt block. */
const TABLE: readonly (readonly [cidr: string, name: string | null, rfc: string])[] = [
  ["10.0.0.0/8", "private", "RFC 1918"],
  ["172.16.0.0/12", "private", "RFC 1918"],
  ["192.168.0.0/16", "private", "RFC 1918"],
  ["100.64.0.0/10", "cgn", "RFC 6598"],
  ["127.0.0.0/8", "loopback", "RFC 1122"],
  ["::1/128", "loopback", "RFC 4291"],
  ["169.254.0.0/16", "link_local", "RFC 3927"],
  ["fe80::/10", "link_local", "RFC 4291"],
  ["192.0.2.0/24", "documentation", "RFC 5737"],
  ["198.51.100.0/24", "documentation", "RFC 5737"],
  ["203.0.113.0/24", "documentation", "RFC 5737"],
  ["2001:db8::/32", "documentation", "RFC 3849"],
  ["3fff::/20", "documentation", "RFC 9637"],
  ["198.18.0.0/15", "benchmarking", "RFC 2544"],
  ["2001:2::/48", "benchmarking", "RFC 5180"],
  ["224.0.0.0/4", "multicast", "RFC 5771"],
  ["ff00::/8", "multicast", "RFC 4291"],
  ["0.0.0.0/8", "this_network", "RFC 791"],
  ["::/128", "unspecified", "RFC 4291"],
  ["255.255.255.255/32", "broadcast", "RFC 919"],
  ["240.0.0.0/4", "reserved", "RFC 1112"],
  ["192.88.99.2/32", "protocol", "RFC 6751"],
  ["192.0.0.9/32", null, ""],
  ["192.0.0.10/32", null, ""],
  ["192.0.0.0/24", "protocol", "RFC 6890"],
  ["fc00::/7", "unique_local", "RFC 4193"],
  ["100::/64", "discard", "RFC 6666"],
  ["100:0:0:1::/64", "reserved", "RFC 9780"],
  ["5f00::/16", "reserved", "RFC 9602"],
  ["64:ff9b:1::/48", "nat64_local", "RFC 8215"],
  ["2001:1::1/128", null, ""],
  ["2001:1::2/127", null, ""],
  ["2001:3::/32", null, ""],
  ["2001:4:112::/48", null, ""],
  ["2001:20::/28", null, ""],
  ["2001:30::/28", null, ""],
  ["2002::/16", "6to4", "RFC 3056"],
  ["2001::/32", "teredo", "RFC 4380"],
  ["64:ff9b::/96", "nat64", "RFC 6052"],
  ["2001::/23", "protocol", "RFC 2928"],
  ["2000::/3", null, ""],
  ["::/0", "reserved", "RFC 4291"],
  ["0.0.0.0/0", null, ""],
];
const ROWS = TABLE.map(([cidr, name, rfc]) => ({ cidr: parseCidr(cidr), name, rfc }));
const plainScan = (ip: Ip) => ROWS.find(({ cidr }) => cidrContains(cidr, ip));

const numberOf = (ip: Ip): bigint =>
  ip.version === "v4" ? BigInt(ip.value) : ip.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
const addressOf = (version: "v4" | "v6", value: bigint): Ip =>
  version === "v4"
    ? ipv4Of(Number(value))
    : ipv6Of([
        Number(value >> 96n),
        Number((value >> 64n) & 0xffffffffn),
        Number((value >> 32n) & 0xffffffffn),
        Number(value & 0xffffffffn),
      ]);

/** First and last address of each row, and the ones just outside. */
const EDGES = ROWS.flatMap(({ cidr }) => {
  const bits = cidr.version === "v4" ? 32 : 128;
  const first = numberOf(cidr.network);
  const last = first + (1n << BigInt(bits - cidr.prefix)) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((value) => value >= 0n && value < 1n << BigInt(bits))
    .map((value) => addressOf(cidr.version, value).text);
});

describe("specialPurposeOf()", () => {
  test.each([...new Set(EDGES)])("agrees with the table at %s", (text) => {
    const ip = parseIp(text);
    const row = plainScan(ip);
    const purpose = specialPurposeOf(ip);
    expect(purpose?.name ?? null).toBe(row?.name ?? null);
    expect(purpose?.rfc ?? "").toBe(row?.rfc ?? "");
  });

  const anyIp = fc.oneof(
    fc.nat(0xffffffff).map(ipv4Of),
    fc
      .tuple(
        fc.oneof(
          fc.nat(0xffffffff),
          fc.constantFrom(0, 0x0064ff9b, 0x01000000, 0x20010db8, 0x20010000, 0x5f000000),
          fc.nat(0x1ff).map((group) => 0x20010000 | group),
          fc.nat(0xffff).map((group) => (0x20020000 | group) >>> 0),
        ),
        fc.oneof(fc.nat(0xffffffff), fc.constant(0), fc.constant(0x10000)),
        fc.oneof(fc.nat(0xffffffff), fc.constant(0)),
        fc.oneof(fc.nat(0xffffffff), fc.nat(4)),
      )
      .map(([a, b, c, d]) => ipv6Of([a, b, c, d])),
  );

  test("agrees with a plain scan of the table everywhere", () => {
    fc.assert(
      fc.property(anyIp, (ip) => {
        expect(specialPurposeOf(ip)?.name ?? null).toBe(plainScan(ip)?.name ?? null);
      }),
      { numRuns: 2000 },
    );
  });

  test("calls everything special a bogon but for addresses with a global IPv4 address inside", () => {
    fc.assert(
      fc.property(anyIp, (ip) => {
        const purpose = specialPurposeOf(ip);
        if (purpose === null) return;
        const inner = purpose.embeddedIpv4;
        expect(purpose.isBogon).toBe(inner === null || specialPurposeOf(inner) !== null);
      }),
    );
  });

  test.each([
    ["2002:808:808::", "6to4", "8.8.8.8", false],
    ["2002:7f00:1::", "6to4", "127.0.0.1", true],
    ["2002:a00:1:ffff::1", "6to4", "10.0.0.1", true],
    ["64:ff9b::8.8.8.8", "nat64", "8.8.8.8", false],
    ["64:ff9b::192.168.1.1", "nat64", "192.168.1.1", true],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "teredo", "192.0.2.45", true],
    ["2001:0:4136:e378:8000:63bf:f7f7:f7f7", "teredo", "8.8.8.8", false],
  ])("finds the address inside %s", (text, name, inner, isBogon) => {
    const purpose = specialPurposeOf(parseIp(text));
    expect(purpose?.name).toBe(name);
    expect(purpose?.embeddedIpv4?.text).toBe(inner);
    expect(purpose?.isBogon).toBe(isBogon);
  });

  test("takes a mapped address as its IPv4 address", () => {
    expect(specialPurposeOf(parseIp("::ffff:198.51.100.9"))?.name).toBe("documentation");
    expect(specialPurposeOf(parseIp("::ffff:8.8.8.8"))).toBeNull();
  });

  /**
   * The rows of the IANA special-purpose address registries with their column "Globally Reachable"; null where it says
   * N/A: there the address inside decides, or nothing more than the block around does.
   */
  const IANA: readonly (readonly [block: string, globallyReachable: boolean | null])[] = [
    ["0.0.0.0/8", false],
    ["0.0.0.0/32", false],
    ["10.0.0.0/8", false],
    ["100.64.0.0/10", false],
    ["127.0.0.0/8", false],
    ["169.254.0.0/16", false],
    ["172.16.0.0/12", false],
    ["192.0.0.0/24", false],
    ["192.0.0.0/29", false],
    ["192.0.0.8/32", false],
    ["192.0.0.9/32", true],
    ["192.0.0.10/32", true],
    ["192.0.0.170/32", false],
    ["192.0.0.171/32", false],
    ["192.0.2.0/24", false],
    ["192.31.196.0/24", true],
    ["192.52.193.0/24", true],
    ["192.88.99.0/24", null],
    ["192.88.99.2/32", false],
    ["192.168.0.0/16", false],
    ["192.175.48.0/24", true],
    ["198.18.0.0/15", false],
    ["198.51.100.0/24", false],
    ["203.0.113.0/24", false],
    ["240.0.0.0/4", false],
    ["255.255.255.255/32", false],
    ["::1/128", false],
    ["::/128", false],
    ["64:ff9b::/96", true],
    ["64:ff9b:1::/48", false],
    ["100::/64", false],
    ["100:0:0:1::/64", false],
    ["2001::/23", false],
    ["2001::/32", null],
    ["2001:1::1/128", true],
    ["2001:1::2/128", true],
    ["2001:1::3/128", true],
    ["2001:2::/48", false],
    ["2001:3::/32", true],
    ["2001:4:112::/48", true],
    ["2001:10::/28", null],
    ["2001:20::/28", true],
    ["2001:30::/28", true],
    ["2001:db8::/32", false],
    ["2002::/16", null],
    ["2620:4f:8000::/48", true],
    ["3fff::/20", false],
    ["5f00::/16", false],
    ["fc00::/7", false],
    ["fe80::/10", false],
  ];
  const registry = IANA.map(([block, isGlobal]) => ({ block: parseCidr(block), isGlobal }));
  /** The narrowest row that holds the address decides. */
  const rowOf = (ip: Ip) =>
    registry
      .filter(({ block }) => cidrContains(block, ip))
      .toSorted((a, b) => b.block.prefix - a.block.prefix)
      .at(0);

  test.each(
    registry.flatMap(({ block }) => {
      const bits = block.version === "v4" ? 32 : 128;
      const first = numberOf(block.network);
      const last = first + (1n << BigInt(bits - block.prefix)) - 1n;
      return [first, (first + last) / 2n, last].map(
        (value) => [addressOf(block.version, value).text, block.text] as const,
      );
    }),
  )("agrees with IANA's registry whether %s of %s is globally reachable", (text) => {
    const ip = parseIp(text);
    const isGlobal = rowOf(ip)?.isGlobal ?? null;
    // NAT64 addresses reach what the address inside them reaches (design 5.1).
    const isBogon = specialPurposeOf(ip)?.isBogon ?? false;
    const inner = specialPurposeOf(ip)?.embeddedIpv4;
    if (inner) expect(isBogon).toBe(specialPurposeOf(inner) !== null);
    else if (isGlobal !== null) expect(isBogon).toBe(!isGlobal);
  });

  test.each<[text: string, name: string | null, why: string]>([
    ["192.88.99.1", null, "the deprecated relays of 6to4 around it are ordinary addresses"],
    ["192.88.99.3", null, "the deprecated relays of 6to4 around it are ordinary addresses"],
    ["192.88.99.2", "protocol", "the anycast address of 6a44 relays is not globally reachable"],
    ["192.88.98.2", null, "another network"],
    ["2001:10::1", "protocol", "the first ORCHID block has ended (RFC 4843), the block around it has not"],
    ["fec0::1", "reserved", "site-local addresses are deprecated (RFC 3879)"],
    ["::192.0.2.1", "reserved", "IPv4-compatible addresses are deprecated (RFC 4291, 2.5.5.1)"],
    ["5eff:ffff::1", "reserved", "below the segment identifiers"],
    ["5f01::1", "reserved", "above the segment identifiers"],
    ["100:0:0:2::", "reserved", "above the dummy prefix"],
    ["2001:1::4", "protocol", "no anycast address is there"],
    ["2001:db9::1", null, "beside the documentation block"],
    ["2003::1", null, "beside 6to4"],
  ])("gives %s the purpose %s: %s", (text, name) => {
    expect(specialPurposeOf(parseIp(text))?.name ?? null).toBe(name);
  });
});
