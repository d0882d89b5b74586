import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDomain } from "../../targets/domain.ts";
import { parseIp } from "../../targets/ip.ts";
import { createNetworks, loadNetworkLists } from "../ip/networks.ts";
import { loadBrands } from "./brands.ts";
import { createDomainFacts, type DomainEvidence } from "./domain-facts.ts";
import { labelFactsOf, looksRandom } from "./label.ts";
import { isOneBitAway, isOneEditAway, lookalikeOf } from "./lookalike.ts";
import { createNameLists, loadNameLists } from "./name-lists.ts";
import { skeletonOf } from "./skeleton.ts";
import { openNamesWorld, SEIZED_NAMES } from "./test-world.ts";
import { loadRiskyTlds, tldOf } from "./tlds.ts";

const brands = loadBrands(["acme-widgets.example"]);

describe("skeletonOf()", () => {
  test.each([
    ["раураl.com", "paypal.com", "Cyrillic letters"],
    ["paypa1.com", "paypal.com", "a digit for a letter"],
    ["rnicrosoft.com", "microsoft.com", "two letters for one"],
    ["gооgle.com", "google.com", "Cyrillic o"],
    ["ɡoogle.com", "google.com", "Latin script g"],
  ])("%s looks like %s: %s", (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });

  test("different words keep different skeletons, and a skeleton is its own", () => {
    expect(skeletonOf("example.com")).not.toBe(skeletonOf("example.org"));
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => typeof skeletonOf(text) === "string"));
  });
});

describe("lookalikeOf()", () => {
  test.each([
    ["paypal.net", "tld_swap", "another suffix"],
    ["paypall.com", "typo", "one letter too many"],
    ["papyal.com", "typo", "two letters swapped"],
    ["paypaz.com", "typo", "another letter"],
    ["qaypal.com", "bitsquat", "one bit of one letter"],
    ["paypal-login.com", "combo", "a hyphenated word"],
    ["securepaypal.com", "combo", "a word before it"],
    ["login-paypalsecure.com", "combo", "at the start of a word behind a hyphen"],
    ["mypaypal-update.com", "combo", "at the end of a word before a hyphen"],
    ["acme-widgets.net", "tld_swap", "the operator's own brand"],
  ])("%s is a %s: %s", (name, kind) => {
    expect(lookalikeOf(name.split(".")[0] ?? "", name, brands)?.kind).toBe(kind);
  });

  test.each(["paypal.com", "paypal.me", "example.com", "papal.org", "apples.com", "chased.org"])(
    "%s imitates no brand, or its imitation is a near word of a short brand",
    (name) => {
      const found = lookalikeOf(name.split(".")[0] ?? "", name, brands);
      if (name === "papal.org") expect(found?.kind).toBe("typo");
      else if (name === "apples.com" || name === "chased.org") expect(found?.kind).toBe("typo");
      else expect(found).toBeNull();
    },
  );

  test.each([
    ["acne.com", "typo"],
    ["acmee.com", "typo"],
    ["acmelogin.com", "combo"],
    ["my-acme.net", "combo"],
    ["acme.net", "tld_swap"],
    ["ace.com", "typo"],
    ["anne.com", null],
  ])("%s imitates a short name that the operator watches: %s", (name, kind) => {
    const own = loadBrands(["acme.com"]).filter(({ isOwn }) => isOwn);
    expect(lookalikeOf(name.split(".")[0] ?? "", name, own)?.kind ?? null).toBe(kind);
    const shipped = own.map((brand) => ({ ...brand, isOwn: false }));
    const found = lookalikeOf(name.split(".")[0] ?? "", name, shipped)?.kind ?? null;
    expect(found).toBe(kind === "tld_swap" || name.includes("-") ? kind : null);
  });

  test("one edit and one bit are symmetric, and never hold of a text and itself", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(isOneEditAway(a, b)).toBe(isOneEditAway(b, a));
        expect(isOneBitAway(a, b)).toBe(isOneBitAway(b, a));
        expect(isOneEditAway(a, a) || isOneBitAway(a, a)).toBe(false);
      }),
    );
  });
});

describe("labels and suffixes", () => {
  test("are counted", () => {
    expect(labelFactsOf("a-1-b2")).toEqual({ length: 6, digits: 2, hyphens: 2, entropyBits: 2.25 });
    expect(labelFactsOf("")).toEqual({ length: 0, digits: 0, hyphens: 0, entropyBits: 0 });
  });

  test.each([
    ["x7f3k9q2m1zt", true],
    ["qzxvbnmtrkpw", true],
    ["wikipedia", false],
    ["mein-kleiner-garten", false],
    ["rechtsanwaltskanzlei", false],
    ["strengths", false],
  ])("%s looks random: %s", (label, expected) => {
    expect(looksRandom(label)).toBe(expected);
  });

  test("a suffix has one label or more", () => {
    expect(tldOf("www.example.co.uk")).toBe("co.uk");
    expect(loadRiskyTlds().get("zip")).toMatch(/file/);
  });
});

const KNOWN: DomainEvidence = { ageDays: 400, addresses: [], nameServers: [], isForSale: null };

/** A maker over the world in which these lists are too old to answer. */
async function makerWithout(expired: readonly string[] = [], nameLists = loadNameLists()) {
  const listings = await openNamesWorld(expired);
  return createDomainFacts({
    listings: () => listings,
    nameLists: createNameLists(nameLists),
    networks: createNetworks(loadNetworkLists(), []),
    brands,
    riskyTlds: loadRiskyTlds(),
    topNames: () => ["wikipedia.org", "example-top.com", "amazon.com.tr"],
    now: () => new Date("2026-11-21T12:00:00Z"),
  });
}

describe("createDomainFacts()", async () => {
  const maker = await makerWithout();
  const judge = (name: string, evidence: Partial<DomainEvidence> = {}) =>
    maker.judge(parseDomain(name), { ...KNOWN, ...evidence });

  test("draws every field of a plain name, none unknown but the rank of an unranked list", () => {
    const { facts, unknown, sharedInfrastructure } = judge("www.example.com");
    expect(facts).toEqual({
      tld: "com",
      is_risky_tld: false,
      is_idn: false,
      punycode: null,
      is_homoglyph: false,
      homoglyph_of: null,
      is_lookalike: false,
      lookalike_of: null,
      lookalike_kind: null,
      is_brand_related: false,
      brand_related_to: null,
      brand_related_by: null,
      age_days: 400,
      is_recent: false,
      is_very_recent: false,
      is_parked: false,
      parked_by: null,
      is_dynamic_dns: false,
      is_free_hosting: false,
      is_url_shortener: false,
      is_sinkholed: false,
      is_disposable_email: false,
      top_list_rank: null,
      in_top_list: false,
      label_length: 7,
      digits_count: 0,
      hyphens_count: 0,
      entropy_bits: 2.52,
    });
    expect(unknown).toEqual([]);
    expect(sharedInfrastructure).toBeNull();
  });

  test("a customer below a service is on it, and is not the service", () => {
    const customer = judge("shop.free-host.example");
    expect(customer.facts.is_free_hosting).toBe(true);
    expect(customer.sharedInfrastructure).toBeNull();
    expect(judge("free-host.example").sharedInfrastructure).toMatch(/free-hosting/);
  });

  test("popularity holds for the registered domain and its hosts, and shields from likeness", () => {
    const { facts, unknown, sharedInfrastructure } = judge("www.paypall.com");
    expect(facts).toMatchObject({ in_top_list: true, is_lookalike: false, top_list_rank: null });
    expect(unknown).toEqual(["top_list_rank"]);
    expect(sharedInfrastructure).toBe("Among the most visited domains");
  });

  test("homoglyphs name what they imitate", () => {
    const { facts } = judge("раураl.com");
    expect(facts).toMatchObject({ is_idn: true, is_homoglyph: true, homoglyph_of: "paypal.com" });
    expect(facts.punycode).toMatch(/^xn--/);
    expect(judge("wıkipedia.org").facts.homoglyph_of).toBe("wikipedia.org");
  });

  test.each([
    [{ nameServers: ["ns1.park.example"] }, "park.example"],
    [{ addresses: [parseIp("198.51.100.7")] }, "parking address"],
    [{ isForSale: true }, "sale page"],
  ])("%o is parked by %s", (evidence, by) => {
    expect(judge("example.com", evidence).facts).toMatchObject({ is_parked: true, parked_by: by });
  });

  test("an address of a sinkhole makes the name sinkholed", () => {
    expect(judge("example.com", { addresses: [parseIp("192.0.2.7")] }).facts.is_sinkholed).toBe(true);
  });

  test.each([
    [6, true, true],
    [7, true, false],
    [29, true, false],
    [30, false, false],
  ])("%i days of age: recent %s, very recent %s", (ageDays, recent, veryRecent) => {
    expect(judge("example.com", { ageDays }).facts).toMatchObject({
      is_recent: recent,
      is_very_recent: veryRecent,
    });
  });

  test("addresses of one family alone do not tell that there is no other", () => {
    const half = judge("example.com", { addresses: [], silent: ["v4"] });
    expect(half.unknown).toEqual(["is_parked", "is_sinkholed", "parked_by"]);
    const sunk = judge("example.com", { addresses: [parseIp("192.0.2.7")], silent: ["v6"] });
    expect(sunk.facts.is_sinkholed).toBe(true);
    expect(sunk.unknown).toEqual(["is_parked", "parked_by"]);
  });

  test("what was not known is said", () => {
    const { unknown } = judge("example.com", { ageDays: null, addresses: null, nameServers: null });
    expect(unknown).toEqual([
      "age_days",
      "is_parked",
      "is_recent",
      "is_sinkholed",
      "is_very_recent",
      "parked_by",
    ]);
  });
});

describe("createDomainFacts() with lists that cannot answer", () => {
  const someHost = { nameServers: ["ns1.shop.example"], addresses: [parseIp("203.0.113.7")] };

  test.each([
    [["names_tranco"], ["in_top_list", "top_list_rank"]],
    [["names_cisco_top1000"], ["in_top_list", "top_list_rank"]],
    [["names_disposable_mail"], ["is_disposable_email"]],
    [["names_parking"], ["is_parked", "parked_by"]],
    [["ranges_parking"], ["is_parked", "parked_by"]],
    [["ranges_sinkholes"], ["is_sinkholed"]],
  ])("without %j no hit leaves %j unknown", async (expired, fields) => {
    const maker = await makerWithout(expired);
    expect(maker.judge(parseDomain("example.com"), { ...KNOWN, ...someHost }).unknown).toEqual(fields);
  });

  test("a hit of another list, or a name without servers and addresses, is known all the same", async () => {
    const maker = await makerWithout(["names_cisco_top1000", "names_parking", "ranges_sinkholes"]);
    const popular = maker.judge(parseDomain("wikipedia.org"), KNOWN);
    expect(popular.facts.in_top_list).toBe(true);
    expect(popular.unknown).toEqual(["top_list_rank"]);
    const parked = { ...KNOWN, ...someHost, addresses: [parseIp("198.51.100.7")] };
    expect(maker.judge(parseDomain("example.com"), parked).unknown).not.toContain("is_parked");
    expect(maker.knows("top_list")).toBe(false);
    expect(maker.knows("free_mail")).toBe(true);
  });

  test("a shipped popular name imitates no brand, however old the list is", async () => {
    const maker = await makerWithout(["names_tranco", "names_cisco_top1000"]);
    const { facts, isPopular } = maker.judge(parseDomain("www.amazon.com.tr"), KNOWN);
    expect(facts).toMatchObject({ is_lookalike: false, in_top_list: false });
    expect(isPopular).toBe(true);
    expect(maker.judge(parseDomain("amazon.com.example"), KNOWN)).toMatchObject({ isPopular: false });
  });
});

describe("createDomainFacts() with a list of names that were taken", () => {
  const lists = [...loadNameLists(), SEIZED_NAMES];

  test.each([
    ["taken.example", true],
    ["www.taken.example", true],
    ["host.taken.test", true],
    ["a.host.taken.test", false],
    ["taken.test", false],
  ])("%s is sinkholed: %s", async (name, expected) => {
    const { facts, unknown } = (await makerWithout([], lists)).judge(parseDomain(name), KNOWN);
    expect(facts.is_sinkholed).toBe(expected);
    expect(unknown).not.toContain("is_sinkholed");
  });

  test.each([
    [[], null, false],
    [["seized_names"], [], false],
    [["seized_names"], null, true],
    [["seized_names", "ranges_sinkholes"], [parseIp("203.0.113.7")], true],
  ])("without %j, at the addresses %j, it is unknown: %s", async (expired, addresses, expected) => {
    const maker = await makerWithout(expired, lists);
    const { unknown } = maker.judge(parseDomain("example.com"), { ...KNOWN, addresses });
    expect(unknown.includes("is_sinkholed")).toBe(expected);
  });
});
