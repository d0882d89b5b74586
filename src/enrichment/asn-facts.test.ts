import { describe, expect, test } from "vitest";
import type { Asn } from "./asn/asn.ts";
import { asnFactsOf, asnTypeOf, originOf, unknownAsnFields } from "./asn-facts.ts";

const table = (asn: number | null, org = "", addresses: number | null = null): Asn => ({
  find: () => (asn === null ? null : { asn, org }),
  ipv4AddressesOf: () => addresses,
  publishedAt: null,
});
const originIn = (...tables: readonly Asn[]) =>
  originOf((each) => each.find({ version: "v4", text: "203.0.113.7", value: 0xcb007107 }), tables);

describe("asnFactsOf()", () => {
  test("takes the operator's table first and totals from the one that counts", () => {
    const facts = asnFactsOf(originIn(table(64500, "Ours"), table(64501, "Theirs", 1024)));
    expect(facts).toMatchObject({ asn: "AS64500", org: "Ours", status: "active", total_ipv4_ips: 1024 });
    expect(facts.origins).toEqual(["AS64500"]);
  });

  test.each([
    ["unrouted where a table has no route", [table(null)], "unrouted"],
    ["unknown where there is no table", [], ""],
  ])("calls an address %s", (_why, tables, status) => {
    expect(asnFactsOf(originIn(...tables))).toMatchObject({ asn: "", status });
  });
});

describe("unknownAsnFields()", () => {
  test("names what ranges of merged routes cannot tell", () => {
    const origin = originIn(table(64500, "Example Telecom", 256));
    const unknown = unknownAsnFields(asnFactsOf(origin), origin);
    expect(unknown).toEqual(
      expect.arrayContaining([
        "asn.route",
        "asn.asname",
        "asn.created",
        "asn.total_ipv4_prefixes",
        "asn.rir",
      ]),
    );
    expect(unknown).not.toContain("asn.total_ipv4_ips");
    expect(unknown).not.toContain("asn.type");
  });

  test("names every field when there is no table", () => {
    const origin = originIn();
    const unknown = new Set(unknownAsnFields(asnFactsOf(origin), origin));
    for (const field of Object.keys(asnFactsOf(origin))) expect(unknown).toContain(`asn.${field}`);
    expect(unknown).toContain("information.isp");
  });
});

describe("asnTypeOf()", () => {
  test.each([
    [24940, "Hetzner Online GmbH", "hosting"],
    [14593, "Space Exploration Technologies Corporation", "isp"],
    [64500, "University of Example", "education"],
    [64500, "Universität Beispiel", "education"],
    [64500, "Ministry of Examples", "government"],
    [64500, "United States Department of Defense (DoD)", "government"],
    [64500, "Example Hosting Ltd", "hosting"],
    [64500, "Comcast Cable Communications, LLC", "isp"],
    [64500, "Example Telecom and Hosting", ""],
    [64500, "Google LLC", ""],
    [64500, "", ""],
  ])("reads AS%i %j as %j", (asn, org, type) => {
    expect(asnTypeOf({ asn, org })).toBe(type);
  });
});
