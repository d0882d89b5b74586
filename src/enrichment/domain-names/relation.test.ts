import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Listings } from "../../blocklist-index/types.ts";
import { readSeedManifest } from "../../feeds/retrieval/manifest.ts";
import { readSeed } from "../../feeds/retrieval/read-source.ts";
import { parseDomain } from "../../targets/domain.ts";
import { type Ip, parseIp } from "../../targets/ip.ts";
import { createNetworks, loadNetworkLists } from "../ip/networks.ts";
import { loadBrands } from "./brands.ts";
import { createDomainFacts, type DomainEvidence } from "./domain-facts.ts";
import { createNameLists, loadNameLists } from "./name-lists.ts";
import { openNamesWorld } from "./test-world.ts";
import { loadRiskyTlds } from "./tlds.ts";
import { readShippedTopNames } from "./top-names.ts";

/** Facebook, Netflix, Google Cloud's neighbour, and a hosting provider. */
const ORIGINS: Readonly<Record<string, number>> = {
  "157.240.1.35": 32_934,
  "157.240.1.36": 32_934,
  "45.57.1.1": 2906,
  "142.250.1.1": 15_169,
  "20.1.1.1": 8075,
  "203.0.113.7": 64_500,
};

const maker = (listings: Listings, topNames: () => readonly string[]) =>
  createDomainFacts({
    listings: () => listings,
    nameLists: createNameLists(loadNameLists()),
    networks: createNetworks(loadNetworkLists(), []),
    brands: loadBrands(["acme-widgets.example"]),
    riskyTlds: loadRiskyTlds(),
    topNames,
    asnOf: ({ text }: Ip) => ORIGINS[text] ?? null,
    now: () => new Date("2026-11-21T12:00:00Z"),
  });

const listings = await openNamesWorld();
const facts = maker(listings, () => ["wikipedia.org"]);
const NOTHING: DomainEvidence = { ageDays: null, addresses: null, nameServers: null, isForSale: null };
const judge = (name: string, evidence: Partial<DomainEvidence> = {}) =>
  facts.judge(parseDomain(name), { ...NOTHING, ...evidence });
const relation = (name: string, evidence: Partial<DomainEvidence> = {}) => {
  const { is_brand_related, brand_related_to, brand_related_by, is_lookalike } = judge(name, evidence).facts;
  expect(is_brand_related).toBe(brand_related_to !== null);
  expect(is_brand_related && is_lookalike).toBe(false);
  return brand_related_to === null ? null : [brand_related_to, brand_related_by];
};

describe("a brand's label under another public suffix", () => {
  test.each([
    ["microsoft.fr", "microsoft.com"],
    ["microsoft.com.au", "microsoft.com"],
    ["facebook.fr", "facebook.com"],
    ["www.facebook.fr", "facebook.com"],
    ["amazon.sg", "amazon.com"],
    ["hsbc.com.hk", "hsbc.com"],
    ["barclays.ae", "barclays.co.uk"],
    ["paypal.net", "paypal.com"],
    ["wdcp.microsoft.akadns.net", "microsoft.com"],
    ["apple.map.fastly.net", "apple.com"],
  ])("%s is related to %s, and no lookalike", (name, brand) => {
    expect(relation(name)).toEqual([brand, "label"]);
    expect(relation(name, { ageDays: 4000 })).toEqual([brand, "label"]);
  });

  test.each([
    ["paypal.xyz", {}, "a suffix of much abuse"],
    ["amazon.top", { ageDays: 4000 }, "the same, though old"],
    ["paypal.github.io", {}, "a suffix below which anybody publishes"],
    ["microsoft.trafficmanager.net", {}, "a delivery network that anybody joins"],
    ["microsoft.fr", { ageDays: 0 }, "a domain of today"],
    ["revolut.de", { ageDays: 29 }, "a domain of this month"],
  ] as const)("%s with %j stays a lookalike: %s", (name, evidence, _why) => {
    expect(relation(name, evidence)).toBeNull();
    expect(judge(name, evidence).facts).toMatchObject({ is_lookalike: true, lookalike_kind: "tld_swap" });
  });

  test("is a lookalike of a name that the operator watches, who lists all domains of it", () => {
    expect(judge("acme-widgets.fr").facts).toMatchObject({ is_lookalike: true, is_brand_related: false });
  });
});

describe("a domain of the shipped table", () => {
  test.each([
    ["login.microsoftonline-p.com", "microsoft.com"],
    ["paypal.com", "paypal.com"],
    ["gooogle.com", "google.com"],
    ["gruposantander.com", "santander.com"],
    ["trycloudflare.com", "cloudflare.com"],
  ])("%s is related to %s", (name, brand) => {
    expect(relation(name)).toEqual([brand, "listed"]);
  });
});

describe("name servers, network and registrant", () => {
  const registry = { registrar: null, registrant: null, nameServers: [] };
  /** The registry tells the same as DNS, where a row does not say otherwise. */
  const told = (evidence: Partial<DomainEvidence>): Partial<DomainEvidence> => ({
    registry: { ...registry, nameServers: evidence.nameServers ?? [] },
    ...evidence,
  });

  test.each([
    ["all of the brand's", "facebook-help.com", { nameServers: ["a.ns.facebook.com", "b.ns.facebook.com."] }],
    [
      "as the registry delegates",
      "facebook-help.com",
      { registry: { ...registry, nameServers: ["a.ns.facebook.com"] } },
    ],
    ["of a name that looks like none", "example.org", { nameServers: ["a.ns.facebook.com"] }],
  ] as const)("name servers %s relate a name", (_, name, evidence) => {
    expect(relation(name, told(evidence))).toEqual(["facebook.com", "name_servers"]);
  });

  test.each([
    ["one of another", "facebook-help.com", { nameServers: ["a.ns.facebook.com", "ns1.shop.example"] }],
    [
      "claimed by the zone against the registry",
      "facebook-help.com",
      { nameServers: ["a.ns.facebook.com"], registry: { ...registry, nameServers: ["ns1.shop.example"] } },
    ],
    [
      "of Cloudflare's customers",
      "cloudflare-help.com",
      { nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"] },
    ],
    ["of Microsoft 365's customers", "microsoft-help.com", { nameServers: ["ns1.bdm.microsoftonline.com"] }],
    ["of Azure's customers", "microsoft-help.com", { nameServers: ["ns1-01.azure-dns.com"] }],
    ["named after the brand", "facebook-help.com", { nameServers: ["ns1.facebook.com.evil.example"] }],
    ["of two brands", "paypal-help.com", { nameServers: ["a.ns.facebook.com", "ns1.google.com"] }],
    ["none", "facebook-help.com", { nameServers: [] }],
    [
      "too many to look at",
      "facebook-help.com",
      { nameServers: Array.from({ length: 51 }, (_, i) => `n${i}.facebook.com`) },
    ],
  ] as const)("name servers %s relate nothing", (_, name, evidence) => {
    expect(relation(name, told(evidence))).toBeNull();
    expect(judge(name, told(evidence)).facts.is_lookalike).toBe(true);
  });

  test.each([
    ["silent", null],
    ["without a delegation", registry],
  ])("name servers that only the zone claims relate nothing: the registry is %s", (_, silent) => {
    const evidence = { nameServers: ["a.ns.facebook.com"], addresses: [], registry: silent };
    expect(relation("facebook-help.com", evidence)).toBeNull();
    expect(judge("facebook-help.com", evidence).facts.is_lookalike).toBe(true);
  });

  test.each([
    ["all in the brand's network", ["157.240.1.35", "157.240.1.36"], ["facebook.com", "network"]],
    ["one elsewhere", ["157.240.1.35", "203.0.113.7"], null],
    ["in two brands' networks", ["157.240.1.35", "45.57.1.1"], null],
    ["in Google's network, which holds its customers too", ["142.250.1.1"], null],
    ["in Azure", ["20.1.1.1"], null],
    ["of no known origin", ["198.51.100.1"], null],
    ["none", [], null],
  ] as const)("addresses %s", (_, addresses, expected) => {
    expect(relation("facebook-help.com", { addresses: addresses.map(parseIp) })).toEqual(expected);
  });

  test("addresses of one family alone relate nothing", () => {
    const addresses = [parseIp("157.240.1.35")];
    expect(relation("facebook-help.com", { addresses, silent: ["v6"] })).toBeNull();
  });

  test.each([
    ["MarkMonitor Inc.", "Microsoft Corporation", ["microsoft.com", "registrant"], "a corporate registrar"],
    ["MARKMONITOR, INC", "MICROSOFT CORP", ["microsoft.com", "registrant"], "another spelling"],
    ["CSC CORPORATE DOMAINS, INC.", "Apple Inc.", ["apple.com", "registrant"], "another brand"],
    ["NameCheap, Inc.", "Microsoft Corporation", null, "a registrar where anybody may call himself so"],
    ["Markmonitors Cheap Domains", "Microsoft Corporation", null, "a registrar that is called alike"],
    ["MarkMonitor Inc.", "Microsoft Support", null, "another organisation"],
    ["MarkMonitor Inc.", null, null, "a hidden registrant"],
    [null, "Microsoft Corporation", null, "no registrar"],
  ] as const)("registrar %j and registrant %j give %j: %s", (registrar, registrant, expected, _why) => {
    const evidence = { registry: { registrar, registrant, nameServers: [] } };
    expect(relation("microsoft-help.com", evidence)).toEqual(expected);
  });

  test("what the registry says of a service does not relate the names of its customers", () => {
    const microsoft = {
      registrar: "MarkMonitor Inc.",
      registrant: "Microsoft Corporation",
      nameServers: ["ns1.msft.net"],
    };
    expect(relation("paypal-login.azurewebsites.net", { registry: microsoft })).toBeNull();
    expect(relation("facebook-login.github.io", told({ nameServers: ["a.ns.facebook.com"] }))).toBeNull();
  });

  test("a homoglyph is accused until the evidence shows whose it is", () => {
    expect(judge("faceb00k.com").facts).toMatchObject({ is_homoglyph: true, homoglyph_of: "facebook.com" });
    const owned = judge("faceb00k.com", told({ nameServers: ["a.ns.facebook.com"] })).facts;
    expect(owned).toMatchObject({ is_homoglyph: false, is_lookalike: false, is_brand_related: true });
  });

  test("what was not looked up of a lookalike is said, and nothing of other names", () => {
    const fields = ["brand_related_by", "brand_related_to", "is_brand_related"];
    expect(judge("facebook-help.com").unknown).toEqual(expect.arrayContaining(fields));
    const looked = { addresses: [], nameServers: [] };
    expect(judge("facebook-help.com", looked).unknown).toContain("is_brand_related");
    expect(judge("facebook-help.com", { ...looked, registry }).unknown).not.toContain("is_brand_related");
    expect(judge("example.com").unknown).not.toContain("is_brand_related");
  });
});

describe("labels of other owners", () => {
  test.each(["mail.de", "email.it", "ymail.com", "citicbank.com", "pcloud.com"])(
    "%s is no imitation",
    (name) => {
      expect(judge(name).facts).toMatchObject({
        is_lookalike: false,
        is_homoglyph: false,
        is_brand_related: false,
      });
    },
  );
});

describe("over the names that ship as known good", () => {
  const seed = join(import.meta.dirname, "../../../seed");
  const manifest = readSeedManifest(seed);
  const namesOf = (file: string): readonly string[] =>
    Buffer.from(readSeed(seed, manifest, file).bytes)
      .toString("utf8")
      .split("\n")
      .filter((name) => name !== "")
      .map((name) => name.replace(/^\./, ""));
  const shipped = maker(listings, readShippedTopNames);
  const accused = (names: readonly string[]) =>
    names.filter((name) => {
      const domain = parseDomain(name, { underscores: true, singleLabel: true });
      const { facts: found } = shipped.judge(domain, NOTHING);
      return found.is_lookalike || found.is_homoglyph;
    });

  test("at most two in 4,000 are named as lookalikes", () => {
    const files = [
      "misp-bank-website",
      "misp-google",
      "misp-cisco-top1000",
      "misp-lots-project",
      "misp-link-in-bio",
    ];
    const names = [...new Set(files.flatMap(namesOf))];
    expect(names.length).toBeGreaterThan(3900);
    expect(accused(names).length).toBeLessThanOrEqual(2);
  });

  test("none of the most visited ones is", () => {
    expect(accused(namesOf("misp-tranco10k"))).toEqual([]);
  });
});
