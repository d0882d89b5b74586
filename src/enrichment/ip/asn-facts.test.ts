import { describe, expect, test } from "vitest";
import { parseIp } from "../../targets/ip.ts";
import { monthly } from "../table-age.ts";
import { type Asn, type AsnSystem, UNKNOWN_SYSTEM } from "./asn/asn.ts";
import { asnFactsOf, asnTypeOf, lowestOrigin, originOf, unknownAsnFields } from "./asn-facts.ts";

const UNDATED = { v4: monthly(null), v6: monthly(null) };
const table = (asn: number | null, org = "", addresses: number | null = null): Asn => ({
  find: () => (asn === null ? null : { asn, org, origins: [asn] }),
  routeOf: () => null,
  systemOf: () => ({ ...UNKNOWN_SYSTEM, ipv4Addresses: addresses }),
  dates: UNDATED,
});
const routes = (origins: readonly number[], system: Partial<AsnSystem> = {}): Asn => ({
  find: () => ({ asn: origins[0] ?? 0, org: "Example Telecom", origins }),
  routeOf: () => "203.0.113.0/24",
  systemOf: () => ({ ...UNKNOWN_SYSTEM, ...system }),
  dates: UNDATED,
});
const originIn = (...tables: readonly Asn[]) => originOf(parseIp("203.0.113.7"), tables);

describe("asnFactsOf()", () => {
  test("takes the operator's table first and totals from the one that counts", () => {
    const facts = asnFactsOf(originIn(table(64500, "Ours"), table(64501, "Theirs", 1024)));
    expect(facts).toMatchObject({ asn: "AS64500", org: "Ours", status: "active", total_ipv4_ips: 1024 });
    expect(facts.origins).toEqual(["AS64500"]);
  });

  test("names all origins, most seen first, and the lowest number where one stands for all", () => {
    const origin = originIn(routes([64501, 64500]));
    expect(asnFactsOf(origin)).toMatchObject({ asn: "AS64501", origins: ["AS64501", "AS64500"] });
    expect(lowestOrigin(origin)).toBe("AS64500");
  });

  test("gives the route that covers an address whose origin only the operator's table knows better", () => {
    const facts = asnFactsOf(originIn(table(64500, "Ours"), routes([64501], { ipv4Prefixes: 3 })));
    expect(facts).toMatchObject({ asn: "AS64500", route: "203.0.113.0/24", total_ipv4_prefixes: 3 });
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

  test("leaves to the registries what a table of routes and names tells", () => {
    const system = { name: "EX", country: "NL", ipv4Prefixes: 1, ipv6Prefixes: 0, ipv4Addresses: 256 };
    const origin = originIn(routes([64500], system));
    expect(unknownAsnFields(asnFactsOf(origin), origin)).toEqual([
      "asn.abuse_email",
      "asn.address",
      "asn.created",
      "asn.days_since_created",
      "asn.days_since_updated",
      "asn.domain",
      "asn.rir",
      "asn.updated",
    ]);
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
