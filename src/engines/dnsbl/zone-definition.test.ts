import { describe, expect, test } from "vitest";
import { operatorZoneSchema } from "../options.ts";
import { zoneOf } from "./zone-definition.ts";

const entry = { key: "mine", target: "ip", zone: "bl.example" };

describe("the schema of engines.dnsbl[]", () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ["a range that ends before it begins", { listed: ["127.0.0.9-127.0.0.2"] }, "listed.0", "a range"],
    ["a network that is too long", { refused: ["127.0.0.0/33"] }, "refused.0", "a CIDR"],
    ["a neutral answer that is a name", { neutral: ["x.example"] }, "neutral.0", "a range"],
    ["a code that is a range", { codes: { "127.0.0.2-127.0.0.4": {} } }, "codes.127.0.0.2-127.0.0.4", ""],
    [
      "a code of an unknown category",
      { codes: { "127.0.0.2": { category: "evil" } } },
      "codes.127.0.0.2.category",
      "",
    ],
    ["a sum of bits for a bit", { listed_bits: [6] }, "listed_bits.0", ""],
    ["no bits at all", { listed_bits: [] }, "listed_bits", ""],
    [
      "test points that are no addresses",
      { test_points: { listed: ["test"], not_listed: [] } },
      "test_points",
      "addresses",
    ],
    ["no test point at all", { test_points: { listed: [], not_listed: [] } }, "test_points", "one at least"],
    ["a zone that must not be asked", { zone: "DNSBL.sorbs.net." }, "zone", "must not be asked: closed"],
    ["a zone for mailboxes that is not asked by hash", { target: "email" }, "hash", "are not names"],
    ["an unknown hash", { hash: "crc32" }, "hash", ""],
    ["a key in the zone that nothing fills", { zone: "{key}.bl.example" }, "auth", "{key}"],
    ["a key that goes nowhere", { auth: { key: "mine" } }, "auth", "{key}"],
    ["a word in braces that means nothing", { zone: "{name}.bl.example" }, "zone", ""],
    ["an unknown key", { colour: "red" }, "", "colour"],
  ])("refuses %s", (_, more, path, message) => {
    const issues = operatorZoneSchema.safeParse({ ...entry, ...more }).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join("."))).toContain(path);
    expect(JSON.stringify(issues)).toContain(message);
  });

  test("takes names as test points of a name zone", () => {
    const points = { listed: ["Test.bl.example"], not_listed: [] };
    expect(operatorZoneSchema.safeParse({ ...entry, target: "domain", test_points: points }).success).toBe(
      true,
    );
  });
});

describe("zoneOf()", () => {
  test("fills in what the design says when nothing is said", () => {
    expect(zoneOf(operatorZoneSchema.parse({ ...entry, zone: "BL.Example." }))).toEqual({
      zone: "bl.example",
      prefix: "",
      hash: null,
      target: "ip",
      ipv4: true,
      ipv6: false,
      table: { listed: null, listedBits: null, refused: null, neutral: [] },
      codes: new Map(),
      testPoints: { listed: ["127.0.0.2", "::ffff:7f00:2"], notListed: ["127.0.0.1", "::ffff:7f00:1"] },
    });
    expect(zoneOf(operatorZoneSchema.parse({ ...entry, target: "domain" })).testPoints).toEqual({
      listed: ["test"],
      notListed: ["invalid"],
    });
    expect(zoneOf(operatorZoneSchema.parse({ ...entry, self_test: "off" })).testPoints).toBeNull();
  });

  test.each([
    ["the design's points", {}, true],
    ["points of IPv4 alone", { test_points: { listed: ["127.0.0.2"], not_listed: ["127.0.0.1"] } }, false],
    ["a point of IPv6", { test_points: { listed: ["127.0.0.2", "2001:db8::2"], not_listed: [] } }, true],
    ["no test", { self_test: "off" }, true],
  ])("applies to IPv6 where it can be tested: %s", (_, more, applies) => {
    expect(zoneOf(operatorZoneSchema.parse({ ...entry, ipv6: true, ...more })).ipv6).toBe(applies);
  });

  test("reads ranges, bits and codes as numbers", () => {
    const zone = zoneOf(
      operatorZoneSchema.parse({
        ...entry,
        listed_bits: [2, 64],
        refused: ["127.0.0.255"],
        neutral: ["127.0.1.0/31"],
        codes: { "127.0.0.2": { category: "spam" } },
      }),
    );
    expect(zone.table).toEqual({
      listed: null,
      listedBits: 66,
      refused: [[0x7f0000ff, 0x7f0000ff]],
      neutral: [[0x7f000100, 0x7f000101]],
    });
    expect(zone.codes).toEqual(new Map([[0x7f000002, { category: "spam" }]]));
  });
});
