import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../base/clock.ts";
import { answered, unavailable } from "../../base/failure.ts";
import { createListingsBuilder } from "../../blocklist-index/compile-index.ts";
import { openListings } from "../../blocklist-index/open-index.ts";
import type { Listings, ListState } from "../../blocklist-index/types.ts";
import type { Dns, DnsReply } from "../../net/dns/dns-types.ts";
import { failedLookup } from "../../registry-data/outcome.ts";
import { type Ip, parseIp } from "../../targets/ip.ts";
import { specialPurposeOf } from "../../targets/special-purpose.ts";
import { monthly } from "../table-age.ts";
import { type Asn, UNKNOWN_SYSTEM } from "./asn/asn.ts";
import { createIpEnrichment, type IpEnrichmentParts } from "./enrich-ip.ts";
import type { Geo } from "./geo/geo.ts";
import { createNetworks, loadNetworkLists } from "./networks.ts";

const NOW = new Date("2026-11-21T00:00:00Z");
const folder = mkdtempSync(join(tmpdir(), "repute-enrich-"));
afterAll(() => rmSync(folder, { recursive: true }));

const geoOf = (
  places: Readonly<Record<string, string>>,
  source = "dbip_city_lite",
  publishedAt = "2026-11-11T00:00:00Z",
): Geo => ({
  find: (ip) => {
    const countryCode = places[ip.text];
    if (countryCode === undefined) return null;
    return { countryCode, regionName: "R", cityName: "C", latitude: 1, longitude: 2, accuracy: "city" };
  },
  publishedAt,
  source,
});

const asnOf = (numbers: Readonly<Record<string, number>>): Asn => ({
  find: (ip: Ip) => {
    const asn = numbers[ip.text];
    return asn === undefined ? null : { asn, org: `Example ${asn}`, origins: [asn] };
  },
  routeOf: () => null,
  systemOf: () => ({ ...UNKNOWN_SYSTEM, ipv4Addresses: 256 }),
  dates: { v4: monthly("2026-11-01T00:00:00Z"), v6: monthly(null) },
});

const aged = (days: number | null, stale = false) => ({
  dataAgeS: days && days * 86_400,
  stale,
  cached: false,
});
const NO_AGES = { place: aged(null), network: aged(null), registry: aged(null), other: aged(null) };

const noName: DnsReply = {
  rcode: "NXDOMAIN",
  authenticatedData: false,
  answers: [],
  authorities: [],
  server: "127.0.0.1:53",
  elapsedMs: 1,
};

/** A resolver that knows nothing, and remembers what it was asked. */
function emptyDns(configured = false) {
  const asked: string[] = [];
  const dns: Pick<Dns, "query" | "recall" | "configured"> = {
    recall: () => null,
    configured,
    query: async (name) => {
      asked.push(name);
      return answered(noName);
    },
  };
  return { dns, asked };
}

let snapshots = 0;

/** A real index with one entry a list. */
async function indexOf(
  entries: readonly (readonly [key: string, address: string, prefix: number])[],
): Promise<Listings | null> {
  const builder = createListingsBuilder();
  for (const [list, [, address, prefix]] of entries.entries()) {
    const ip = parseIp(address);
    if (ip.version === "v4") builder.addIpv4(list, ip.value, prefix);
    else builder.addIpv6(list, ip.words, prefix);
  }
  const states = entries.map(
    ([key]): ListState => ({
      key,
      entries: 1,
      dropped: 0,
      seed: true,
      ...{ retrievedAt: null, changedAt: null, lastAttempt: null, lastError: null },
      publishedAt: "2026-08-22T00:00:00Z",
      loaded: true,
      contentHash: null,
      families: ["v4", "v6"],
    }),
  );
  const path = join(folder, `${++snapshots}.snapshot`);
  await builder.write(path, states, "test");
  return openListings(path);
}

const away = async () => failedLookup<never>("unreachable", "No registry here");
const silentRegistries = { ip: away, asn: away, registryOfAsn: () => null };

const own = { builtin: false, refreshMinutes: 60, provider: null };
const operatorProxies = { ...own, key: "my_proxies", flag: "is_proxy" } as const;

const enrichmentOf = (fields: Partial<IpEnrichmentParts> = {}) =>
  createIpEnrichment({
    geo: () => null,
    asn: () => null,
    listings: () => null,
    operatorGeo: null,
    operatorAsn: null,
    networks: createNetworks(loadNetworkLists(), [operatorProxies]),
    records: null,
    dns: emptyDns().dns,
    registrations: silentRegistries,
    clock: { ...systemClock, now: () => NOW },
    options: { dnsTimeoutMs: 2000, asnListingZone: null },
    ...fields,
  });

async function factsOf(address: string, fields: Partial<IpEnrichmentParts> = {}) {
  const ip = parseIp(address);
  const context = { signal: new AbortController().signal, deadlineMs: systemClock.monotonicMs() + 5000 };
  return enrichmentOf(fields).enrich(ip, specialPurposeOf(ip), context);
}

describe("enrich()", () => {
  test("puts place, network, use and age together", async () => {
    const listings = await indexOf([["x4bnet_datacenter", "198.41.0.0", 24]]);
    const { facts, vendor } = await factsOf("198.41.0.4", {
      geo: () => geoOf({ "198.41.0.4": "NL" }),
      asn: () => asnOf({ "198.41.0.4": 64500 }),
      listings: () => listings,
    });
    expect(facts.information).toMatchObject({
      country_code: "NL",
      is_eu: true,
      city_name: "C",
      geo_source: "dbip_city_lite",
      isp: "Example 64500",
      asn: "AS64500",
      is_hosting: true,
      reverse_dns_status: "nxdomain",
      special_purpose: null,
    });
    expect(facts.asn).toMatchObject({ asn: "AS64500", status: "active", total_ipv4_ips: 256 });
    expect(facts.ages).toEqual({ ...NO_AGES, place: aged(10), network: aged(20), other: aged(91, true) });
    expect(vendor).toBeNull();
    expect(facts.unknownFields).toEqual([...facts.unknownFields].toSorted());
    expect(facts.unknownFields).not.toContain("information.country_code");
  });

  test("takes the operator's row whole before the bundled one", async () => {
    const { facts } = await factsOf("198.41.0.4", {
      geo: () => geoOf({ "198.41.0.4": "NL" }),
      operatorGeo: geoOf({ "198.41.0.4": "FR" }, "operator_database", "2026-09-01T00:00:00Z"),
    });
    expect(facts.ages.place).toEqual(aged(81, true));
    expect(facts.information).toMatchObject({ country_code: "FR", geo_source: "operator_database" });
  });

  test.each([
    ["6to4", "2002:c629:4::1"],
    ["teredo", "2001:0:4136:e378:8000:63bf:39d6:fffb"],
    ["nat64", "64:ff9b::c629:4"],
  ])("uses the IPv4 address inside a %s address for place and network", async (name, address) => {
    const { facts } = await factsOf(address, {
      geo: () => geoOf({ "198.41.0.4": "NL" }),
      asn: () => asnOf({ "198.41.0.4": 64500 }),
    });
    expect(facts.information.special_purpose).toMatchObject({ name, embedded_ipv4: "198.41.0.4" });
    expect([facts.information.country_code, facts.asn.asn]).toEqual(["NL", "AS64500"]);
  });

  test("names every field that it has no source for", async () => {
    const { facts } = await factsOf("198.41.0.4");
    const fields = ["country_code", "latitude", "isp"].map((field) => `information.${field}`);
    expect(facts.unknownFields).toEqual(expect.arrayContaining([...fields, "asn.asn", "anonymity.is_vpn"]));
    expect(facts.ages).toEqual(NO_AGES);
    expect(facts.asn.status).toBe("");
  });

  test("gives an address without a row the accuracy none and no coordinates", async () => {
    const { facts } = await factsOf("198.41.0.4", { geo: () => geoOf({}) });
    const nowhere = { geo_accuracy: "none", latitude: 0, longitude: 0, geo_source: "" };
    expect(facts.information).toMatchObject(nowhere);
    expect(facts.unknownFields).not.toContain("information.country_code");
  });

  test("calls a kept reverse name cached", async () => {
    const enrichment = enrichmentOf();
    const ip = parseIp("198.41.0.4");
    const context = { signal: new AbortController().signal, deadlineMs: systemClock.monotonicMs() + 5000 };
    const first = await enrichment.enrich(ip, null, context);
    const second = await enrichment.enrich(ip, null, context);
    expect([first.facts.ages.other.cached, second.facts.ages.other.cached]).toEqual([false, true]);
  });

  test("answers without a reverse name when the time is up", async () => {
    const ip = parseIp("198.41.0.4");
    const context = { signal: new AbortController().signal, deadlineMs: systemClock.monotonicMs() };
    const { facts } = await enrichmentOf().enrich(ip, null, context);
    expect(facts.information.reverse_dns_status).toBe("timeout");
    expect(facts.unknownFields).toContain("information.is_fake_bot");
  });

  test("does not call an unreachable resolver a missing name", async () => {
    const dns = { ...emptyDns().dns, query: async () => unavailable("dns", "error", "unreachable") };
    const { facts } = await factsOf("198.41.0.4", { dns });
    expect(facts.information.reverse_dns_status).toBe("error");
    expect(facts.unknownFields).toContain("information.reverse_dns");
  });
});

describe("enrich() of a bogon", () => {
  const sources = {
    geo: () => geoOf({ "10.0.0.1": "NL" }),
    asn: () => asnOf({ "10.0.0.1": 64500 }),
  };

  test("asks neither bundled tables nor built-in lists nor DNS", async () => {
    const { dns, asked } = emptyDns();
    const listings = await indexOf([["x4bnet_vpn", "10.0.0.0", 8]]);
    const { facts } = await factsOf("10.0.0.1", { ...sources, dns, listings: () => listings });
    expect(facts.information).toMatchObject({ is_bogon: true, country_code: "", reverse_dns_status: null });
    expect(facts.anonymity.is_vpn).toBe(false);
    expect(facts.asn.status).toBe("unrouted");
    expect(asked).toEqual([]);
    expect(facts.unknownFields).toEqual(["information.reverse_dns", "information.reverse_dns_confirmed"]);
    expect(facts.ages).toEqual(NO_AGES);
  });

  test("asks the operator's databases, lists and resolver", async () => {
    const { dns, asked } = emptyDns(true);
    const listings = await indexOf([["my_proxies", "10.0.0.0", 8]]);
    const { facts } = await factsOf("10.0.0.1", {
      dns,
      operatorGeo: geoOf({ "10.0.0.1": "FR" }, "operator_database"),
      operatorAsn: asnOf({ "10.0.0.1": 64512 }),
      listings: () => listings,
    });
    expect(facts.information).toMatchObject({
      country_code: "FR",
      asn: "AS64512",
      reverse_dns_status: "nxdomain",
    });
    expect(facts.anonymity.sources).toEqual({ is_proxy: ["my_proxies"] });
    expect(asked).toEqual(["1.0.0.10.in-addr.arpa"]);
    expect(facts.unknownFields).toEqual([]);
  });

  test("asks no zone of listed networks", async () => {
    const { dns, asked } = emptyDns();
    await factsOf("10.0.0.1", {
      ...sources,
      dns,
      options: { dnsTimeoutMs: 2000, asnListingZone: "asn.example" },
    });
    expect(asked).toEqual([]);
  });
});

describe("vendor enrichment", () => {
  const options = { dnsTimeoutMs: 2000, asnListingZone: "asn.example" };
  const asn = () => asnOf({ "198.41.0.4": 64500 });

  test("comes from the zone when one is configured and the AS is known", async () => {
    const { dns, asked } = emptyDns();
    const { vendor } = await factsOf("198.41.0.4", { dns, options, asn });
    expect(vendor).toMatchObject({ said: { listed: false, dataset: null }, cached: false });
    expect(asked).toContain("64500.asn.example");
  });

  test.each([
    ["the address is not announced", { asn: () => asnOf({}) }],
    [
      "the zone found nothing and the record service stayed silent",
      { asn, records: { find: async () => null } },
    ],
  ])("is absent where %s", async (_why, sources) => {
    expect((await factsOf("198.41.0.4", { options, ...sources })).vendor).toBeNull();
  });
});

test("asnOf() gives the number of the origin AS, the inner address's for 6to4, else null", () => {
  const { asnOf: numberOf } = enrichmentOf({ asn: () => asnOf({ "198.41.0.4": 64500 }) });
  const numbers = ["198.41.0.4", "2002:c629:4::1", "198.41.0.5"].map((text) => numberOf(parseIp(text)));
  expect(numbers).toEqual([64500, 64500, null]);
});
