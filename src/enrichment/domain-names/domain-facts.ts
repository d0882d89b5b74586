import { domainToUnicode } from "node:url";
import type { Listings } from "../../blocklist-index/types.ts";
import type { Domain } from "../../targets/domain.ts";
import type { Ip } from "../../targets/ip.ts";
import type { NameFlag } from "../classifying-lists.ts";
import type { Networks } from "../ip/networks.ts";
import { type Brand, loadBrandOwnership } from "./brands.ts";
import type { DomainFacts } from "./domain-facts-shape.ts";
import { createLikeness, type Likeness } from "./impersonation.ts";
import { labelFactsOf } from "./label.ts";
import type { NameHit, NameLists } from "./name-lists.ts";
import { type AddressFlags, addressFlagsOf, type Parked, parkedBy } from "./parking.ts";
import {
  type BrandRelation,
  type BrandRelations,
  createBrandRelations,
  type RelationEvidence,
} from "./relation.ts";
import { isRiskyTld, tldOf } from "./tlds.ts";

/** What else is known of the name when its facts are drawn; null: not known. */
export type DomainEvidence = RelationEvidence & {
  /** Whether its page offers the name for sale; null when no page was looked at. */
  readonly isForSale: boolean | null;
};

export type JudgedDomain = {
  readonly facts: DomainFacts;
  /** Names of fields of `facts` whose source was absent or failed (design 1.5). */
  readonly unknown: readonly string[];
  /** The sentence that names the shared infrastructure which the name itself is, or null (design 4.3). */
  readonly sharedInfrastructure: string | null;
  /** Known to be visited by many, be it from a copy too old to answer: a guard against false alarms, no fact. */
  readonly isPopular: boolean;
  /** Milliseconds since the epoch: age of the oldest list that answered; null without any. */
  readonly asOfMs: number | null;
  readonly stale: boolean;
};

export type DomainFactsParts = {
  readonly listings: () => Listings;
  readonly nameLists: NameLists;
  readonly networks: Networks;
  readonly brands: readonly Brand[];
  readonly riskyTlds: ReadonlyMap<string, string>;
  /** Names of the shipped popularity list, asked for once, at the first comparison. */
  readonly topNames: () => readonly string[];
  /** Origin AS of an address; left out where there is no table of them. */
  readonly asnOf?: (ip: Ip) => number | null;
  readonly now: () => Date;
};

/** Draws the facts of design 6.4 from tables and what was looked up; waits for nothing. */
export type DomainFactsMaker = {
  readonly judge: (domain: Domain, evidence: DomainEvidence) => JudgedDomain;
  /** Flags of the lists that name the host or its parents. */
  readonly flagsOf: (host: string) => ReadonlySet<NameFlag>;
  /** Whether every list that sets the flag answers, so that a name without a hit is known not to have it. */
  readonly knows: (flag: NameFlag) => boolean;
  /** Makes what the first name would wait for. */
  readonly prepare: () => Promise<void>;
};

const RECENT_DAYS = 30;
const VERY_RECENT_DAYS = 7;

/** The maker of domain facts over the lists in force. */
export function createDomainFacts(parts: DomainFactsParts): DomainFactsMaker {
  const likeness = createLikeness(parts.brands, parts.topNames);
  const relations = createBrandRelations({ ...loadBrandOwnership(), ...parts });
  const hitsOf = (host: string) => parts.nameLists.find(parts.listings(), host, parts.now().getTime());
  return {
    judge: (domain, evidence) => judge({ ...parts, likeness, relations }, domain, evidence),
    knows: (flag) => parts.nameLists.coverage(parts.listings(), parts.now().getTime()).flags.has(flag),
    flagsOf: (host) => new Set(hitsOf(host).map(({ flag }) => flag)),
    prepare: likeness.prepare,
  };
}

type Judges = DomainFactsParts & { readonly likeness: Likeness; readonly relations: BrandRelations };

function judge(parts: Judges, domain: Domain, evidence: DomainEvidence): JudgedDomain {
  const nowMs = parts.now().getTime();
  const listings = parts.listings();
  const hits = parts.nameLists.find(listings, domain.name, nowMs);
  const coverage = parts.nameLists.coverage(listings, nowMs);
  const flags = new Set(hits.map(({ flag }) => flag));
  const registered = domain.registeredDomain ?? domain.name;
  const ranked = topHits(hits, domain);
  const isPopular = ranked.length > 0 || parts.likeness.isShippedTop(registered);
  const relation = parts.relations(registered, evidence);
  const likes = parts.likeness.of(registered, isPopular || relation !== null);
  const addresses = addressFlagsOf(parts, listings, evidence, nowMs);
  const parked = parkedBy(parts, listings, evidence, { addresses, names: coverage.flags, nowMs });
  const facts: DomainFacts = {
    tld: tldOf(domain.name),
    is_risky_tld: isRiskyTld(parts.riskyTlds, tldOf(domain.name)),
    is_idn: domain.unicode !== domain.name,
    punycode: domain.unicode === domain.name ? null : domain.name,
    ...likes,
    ...relationFieldsOf(relation),
    ...ageFactsOf(evidence.ageDays),
    is_parked: parked.by !== null,
    parked_by: parked.by,
    ...serviceFieldsOf(flags),
    is_sinkholed: isSinkholedName(hits, domain) || addresses.flags.has("sinkhole"),
    is_disposable_email: flags.has("disposable_mail"),
    top_list_rank: ranked.find(({ rank }) => rank !== null)?.rank ?? null,
    in_top_list: ranked.length > 0,
    ...labelFieldsOf(registered),
  };
  return {
    facts,
    unknown: unknownOf(facts, {
      names: coverage.flags,
      addresses,
      parked,
      isRelationKnown: isTold(evidence),
    }),
    isPopular,
    sharedInfrastructure: sharedInfrastructureOfName(hits, domain),
    asOfMs: coverage.asOfMs,
    stale: coverage.stale,
  };
}

/** A popular parent says something of a host only where it is the registered domain. */
const topHits = (hits: readonly NameHit[], { name, registeredDomain }: Named): readonly NameHit[] =>
  hits.filter(({ flag, value }) => flag === "top_list" && (value === name || value === registeredDomain));

const isSinkholedName = (hits: readonly NameHit[], { name, registeredDomain }: Domain): boolean =>
  hits.some(({ flag, value }) => flag === "sinkhole" && (value === name || value === registeredDomain));

const ageFactsOf = (ageDays: number | null) => ({
  age_days: ageDays,
  is_recent: ageDays !== null && ageDays < RECENT_DAYS,
  is_very_recent: ageDays !== null && ageDays < VERY_RECENT_DAYS,
});

const relationFieldsOf = (relation: BrandRelation | null) => ({
  is_brand_related: relation !== null,
  brand_related_to: relation?.to ?? null,
  brand_related_by: relation?.by ?? null,
});

const serviceFieldsOf = (flags: ReadonlySet<NameFlag>) => ({
  is_dynamic_dns: flags.has("dynamic_dns"),
  is_free_hosting: flags.has("free_hosting"),
  is_url_shortener: flags.has("url_shortener"),
});

function labelFieldsOf(registered: string) {
  const { length, digits, hyphens, entropyBits } = labelFactsOf(
    domainToUnicode(registered).split(".")[0] ?? "",
  );
  return { label_length: length, digits_count: digits, hyphens_count: hyphens, entropy_bits: entropyBits };
}

const FIELDS_OF_FLAG: readonly (readonly [NameFlag, keyof DomainFacts])[] = [
  ["dynamic_dns", "is_dynamic_dns"],
  ["free_hosting", "is_free_hosting"],
  ["url_shortener", "is_url_shortener"],
  ["disposable_mail", "is_disposable_email"],
  ["top_list", "in_top_list"],
];

type Known = {
  readonly names: ReadonlySet<NameFlag>;
  readonly addresses: AddressFlags;
  readonly parked: Parked;
  /** Whether all was looked up that could make the name one of a brand's own. */
  readonly isRelationKnown: boolean;
};

const isTold = ({ addresses, silent = [], nameServers, registry = null }: DomainEvidence): boolean =>
  addresses !== null && silent.length === 0 && nameServers !== null && registry !== null;

function unknownOf(
  facts: DomainFacts,
  { names, addresses, parked, isRelationKnown }: Known,
): readonly string[] {
  const unknown: (keyof DomainFacts)[] = FIELDS_OF_FLAG.flatMap(([flag, field]) =>
    names.has(flag) || facts[field] === true ? [] : [field],
  );
  if (facts.top_list_rank === null && (facts.in_top_list || !names.has("top_list"))) {
    unknown.push("top_list_rank");
  }
  if (facts.age_days === null) unknown.push("age_days", "is_recent", "is_very_recent");
  if (!facts.is_sinkholed && !names.has("sinkhole") && !addresses.isKnown("sinkhole")) {
    unknown.push("is_sinkholed");
  }
  if (!parked.isKnown) unknown.push("is_parked", "parked_by");
  // It changes nothing of a name that looks like no brand.
  if ((facts.is_lookalike || facts.is_homoglyph) && !isRelationKnown) {
    unknown.push("is_brand_related", "brand_related_to", "brand_related_by");
  }
  return unknown.sort();
}

const SERVICES: readonly (readonly [NameFlag, string])[] = [
  ["free_hosting", "A free-hosting service: many strangers publish under it"],
  ["dynamic_dns", "A dynamic-DNS service: many strangers publish under it"],
  ["url_shortener", "A link shortener: many strangers publish under it"],
];

type Named = { readonly name: string; readonly registeredDomain: string | null };

/** The sentence that names what many share under a name, or null: the service itself, not a customer's name below it. */
export function sharedInfrastructureOfName(hits: readonly NameHit[], domain: Named): string | null {
  for (const [flag, sentence] of SERVICES) {
    if (hits.some((hit) => hit.flag === flag && hit.value === domain.name)) return sentence;
  }
  return topHits(hits, domain).length > 0 ? "Among the most visited domains" : null;
}
