import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidValue } from "../base/failure.ts";
import { formatIpv4, readIp } from "../targets/ip.ts";
import {
  columnsOf,
  MAX_NETWORKS,
  MAX_OVERLAP_MS,
  optionsFrom,
  parseExpiry,
  parseNetworks,
  parseOverlap,
  parseProducts,
  restrictionFrom,
} from "./key-options.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const KNOWN = ["check-ip", "domain-reputation", "whois-lookup"];

const reasonOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidValue) return error.reason;
    throw error;
  }
  return "taken";
};

const allows = (networks: string, address: string): boolean =>
  restrictionFrom(networks, null)?.allowsAddress(readIp(address)) ?? true;

describe("parseExpiry()", () => {
  test.each([
    ["2026-06-02", "2026-06-02T00:00:00.000Z", "a day begins in UTC"],
    ["2026-06-02T10:00:00Z", "2026-06-02T10:00:00.000Z", "a time in UTC"],
    ["2026-06-02T10:00+02:00", "2026-06-02T08:00:00.000Z", "a time with another zone"],
    ["2026-06-02T10:00:00.999Z", "2026-06-02T10:00:00.000Z", "whole seconds"],
    ["90d", "2026-08-30T12:00:00.000Z", "days from now"],
    ["36h", "2026-06-03T00:00:00.000Z", "hours from now"],
  ])("%s is %s: %s", (text, wanted) => {
    expect(parseExpiry(text, NOW).toISOString()).toBe(wanted);
  });

  test.each([
    ["2026-06-01", "expiry_range", "past"],
    ["2026-06-01T12:00:00Z", "expiry_range", "this very moment"],
    ["0s", "expiry_range", "no time at all"],
    ["9999-12-31", "expiry_range", "beyond ten years"],
    ["9999999d", "expiry_range", "a duration beyond all dates"],
    ["2027-02-30", "expiry_malformed", "no such day"],
    ["2027-01-31T10:00:00", "expiry_malformed", "a time without a zone"],
    ["2027-01-31T25:00:00Z", "expiry_malformed", "no such hour"],
    ["31.01.2027", "expiry_malformed", "another spelling"],
    ["1800000000", "expiry_malformed", "a number"],
    ["-90d", "expiry_malformed", "a negative duration"],
    ["", "expiry_malformed", "nothing"],
    [`2027-01-31${"0".repeat(10_000)}`, "expiry_malformed", "a long text"],
  ])("refuses %s as %s: %s", (text, reason) => {
    expect(reasonOf(() => parseExpiry(text, NOW))).toBe(reason);
  });

  test("throws nothing but InvalidValue, and gives whole seconds in the future", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.stringMatching(/^\d{1,9}[smhd]$/),
      fc.stringMatching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(Z|[+-]\d\d:\d\d))?$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        if (reasonOf(() => parseExpiry(text, NOW)) !== "taken") return;
        const ms = parseExpiry(text, NOW).getTime();
        expect(ms).toBeGreaterThan(NOW.getTime());
        expect(ms % 1000).toBe(0);
      }),
    );
  });
});

test("parseOverlap() takes 0 to 7 days", () => {
  expect(["0", "0s", "90m", "24h", "7d"].map(parseOverlap)).toEqual([
    0,
    0,
    5_400_000,
    86_400_000,
    MAX_OVERLAP_MS,
  ]);
  for (const text of ["169h", "8d", "604801s"])
    expect(reasonOf(() => parseOverlap(text))).toBe("overlap_range");
  for (const text of ["", "1", "1.5h", "-1h", "1w", " 1h", "1h1h"])
    expect(reasonOf(() => parseOverlap(text))).toBe("overlap_malformed");
});

describe("parseNetworks()", () => {
  test("gives each network once, in its one spelling", () => {
    const texts = ["192.0.2.0/24", "::ffff:192.0.2.0/120", "2001:DB8::/32", "198.51.100.7", "::1"];
    expect(parseNetworks(texts)).toEqual(["192.0.2.0/24", "2001:db8::/32", "198.51.100.7/32", "::1/128"]);
  });

  test.each([
    ["192.0.2.1/24", "host_bits"],
    ["192.0.2.0/33", "invalid_cidr"],
    ["192.0.2.0/024", "invalid_cidr"],
    ["192.0.2.0/255.255.255.0", "invalid_cidr"],
    ["0177.0.0.1", "invalid_cidr"],
    ["127.1", "invalid_cidr"],
    ["fe80::1%eth0", "invalid_cidr"],
    ["192.0.2.0/24 198.51.100.0/24", "invalid_cidr"],
    ["example.com", "invalid_cidr"],
    ["*", "invalid_cidr"],
    ["", "invalid_cidr"],
  ])("refuses %s as %s", (text, reason) => {
    expect(reasonOf(() => parseNetworks(["192.0.2.0/24", text]))).toBe(reason);
  });

  test("takes 1 to 50", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `10.0.${i}.0/24`);
    expect(parseNetworks(many(MAX_NETWORKS))).toHaveLength(50);
    expect(reasonOf(() => parseNetworks(many(51)))).toBe("networks_many");
    expect(reasonOf(() => parseNetworks([]))).toBe("networks_empty");
  });
});

describe("parseProducts()", () => {
  test("takes names and paths, in one order", () => {
    expect(parseProducts(["whois-lookup", "/api/check-ip", "check-ip"], KNOWN)).toEqual([
      "check-ip",
      "whois-lookup",
    ]);
  });

  test.each([
    "",
    "constructor",
    "__proto__",
    "CHECK-IP",
    "api/check-ip",
    "bulk/check-ip",
    "/api/bulk/check-ip",
    "/api/",
  ])("refuses %s", (text) => {
    expect(reasonOf(() => parseProducts([text], KNOWN))).toBe("product_unknown");
  });

  test("names at least one", () => {
    expect(reasonOf(() => parseProducts([], KNOWN))).toBe("products_empty");
  });
});

describe("restrictionFrom()", () => {
  const octets = fc.integer({ min: 0, max: 2 ** 32 - 1 });

  test("allows exactly the IPv4 addresses of a network, mapped ones too", () => {
    fc.assert(
      fc.property(
        octets,
        fc.integer({ min: 0, max: 32 }),
        octets,
        fc.boolean(),
        (base, length, other, isNear) => {
          const size = 2 ** (32 - length);
          const first = Math.floor(base / size) * size;
          const address = isNear ? first + (other % size) : other;
          const isInside = address >= first && address < first + size;
          const networks = `2001:db8::/32 ${formatIpv4(first)}/${length}`;
          expect(allows(networks, formatIpv4(address))).toBe(isInside);
          expect(allows(networks, `::ffff:${formatIpv4(address)}`)).toBe(isInside);
        },
      ),
    );
  });

  test("allows exactly the IPv6 addresses of a network, whose host part is anything", () => {
    const groups = fc.array(fc.integer({ min: 0, max: 65535 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, groups, fc.integer({ min: 3, max: 128 }), (base, other, length) => {
        const bitsOf = (words: readonly number[]) =>
          words.map((word) => word.toString(2).padStart(16, "0")).join("");
        const textOf = (bits: string) =>
          Array.from({ length: 8 }, (_, i) =>
            Number.parseInt(bits.slice(16 * i, 16 * i + 16), 2).toString(16),
          ).join(":");
        const prefix = `001${bitsOf(base).slice(3)}`.slice(0, length);
        const network = `${textOf(prefix.padEnd(128, "0"))}/${length}`;
        const inside = textOf(prefix + bitsOf(other).slice(length));
        const flipped = prefix.slice(0, -1) + (prefix.endsWith("0") ? "1" : "0");
        expect(allows(network, inside)).toBe(true);
        expect(allows(network, textOf(flipped + bitsOf(other).slice(length)))).toBe(false);
        expect(allows(network, "192.0.2.1")).toBe(false);
      }),
    );
  });

  test("an unknown address is in no network, and what cannot be read allows none", () => {
    expect(restrictionFrom("0.0.0.0/0 ::/0", null)?.allowsAddress(null)).toBe(false);
    expect(allows("nonsense", "192.0.2.1")).toBe(false);
    expect(allows("", "192.0.2.1")).toBe(false);
  });

  test("is null without a limit, and each limit is one of its own", () => {
    expect(restrictionFrom(null, null)).toBeNull();
    const products = restrictionFrom(null, "check-ip");
    expect([products?.allowsProduct("check-ip"), products?.allowsProduct("whois-lookup")]).toEqual([
      true,
      false,
    ]);
    expect(products?.allowsAddress(null)).toBe(true);
    expect(restrictionFrom("192.0.2.0/24", null)?.allowsProduct("anything")).toBe(true);
  });
});

test("options come out of their columns as they went in", () => {
  const options = {
    expiresAt: new Date("2027-01-01T00:00:00Z"),
    networks: ["192.0.2.0/24", "2001:db8::/32"],
    products: ["check-ip", "whois-lookup"],
  };
  const none = { expires_at: null, networks: null, products: null };
  expect(optionsFrom({ ...none, ...columnsOf(options) })).toEqual(options);
  expect(columnsOf({ expiresAt: null, networks: null, products: null })).toEqual(none);
  expect(columnsOf({})).toEqual({});
});
