import type { Listings } from "../blocklist-index/types.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import type { Consultation } from "../engines/kind.ts";
import { createListed, type Listed, type ListedEntry } from "../engines/listed.ts";
import type { DomainTarget, EngineTarget, IpTarget } from "../engines/target.ts";
import { publicDnsAt } from "../enrichment/catalogue/public-dns.ts";
import { sharedInfrastructureOfName } from "../enrichment/domain-names/domain-facts.ts";
import type { NameLists } from "../enrichment/domain-names/name-lists.ts";
import { asnTypeOf } from "../enrichment/ip/asn-facts.ts";
import { botFactsOf } from "../enrichment/ip/bot-facts.ts";
import type { AddressUsage } from "../enrichment/ip/classify.ts";
import { createKnownUsage } from "../enrichment/ip/known-usage.ts";
import type { NetworkHit, Networks } from "../enrichment/ip/networks.ts";
import { NOT_ASKED } from "../enrichment/ip/reverse-dns.ts";
import { ipSignals, sharedInfrastructureOf } from "../products/check-ip/signals.ts";
import type { Signal } from "../risk/score.ts";
import { registeredDomainOf } from "../targets/domain.ts";
import { type Ip, readIp } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";

/** Everything that the compiled data says of one target: what its score and its subtraction are drawn from. */
export type Assessed = {
  readonly consultation: Consultation;
  readonly signals: readonly Signal[];
  readonly sharedInfrastructure: string | null;
  readonly isBogon: boolean;
  /** Lists of networks that name an address; none of other targets. */
  readonly networks: readonly NetworkHit[];
  /** Whether the address is the edge of a content delivery network. */
  readonly isEdge: boolean;
};

/** Assesses targets at one instant. */
export type Assessor = {
  /** Addresses without special purpose and without an AS or a resolver's name that says something, by all that lists say of them. */
  readonly plain: (version: Ip["version"], entries: readonly ListedEntry[]) => Assessed;
  readonly address: (ip: Ip, asn: number | null) => Assessed;
  readonly domain: (name: string) => Assessed;
  /** A canonical URL. */
  readonly url: (url: string, asnOf: (ip: Ip) => number | null) => Assessed;
  /** A mailbox, or a domain as lists of mailboxes name it. */
  readonly email: (text: string) => Assessed;
};

export type AssessorParts = {
  readonly definitions: readonly EngineDefinition[];
  readonly listings: Listings;
  readonly networks: Networks;
  readonly nameLists: NameLists;
  readonly now: Date;
};

/**
 * What lookups would find in the compiled lists, without zones, registries, DNS and pages: pure of the data, so that a
 * generation can be made again. Source: the score of check-ip with zones off.
 */
export function createAssessor(parts: AssessorParts): Assessor {
  const nowMs = parts.now.getTime();
  const listed = createListed({ ...parts, nowMs });
  const plain = createPlain({ ...parts, listed });
  const address = (ip: Ip, asn: number | null): Assessed => assessAddress({ ...parts, listed }, ip, asn);
  const named = (target: EngineTarget, domain: DomainTarget): Assessed => ({
    ...NOTHING_ELSE,
    consultation: listed.of(target),
    sharedInfrastructure: sharedInfrastructureOfName(
      parts.nameLists.find(parts.listings, domain.name, nowMs),
      domain,
    ),
  });
  return {
    plain,
    address,
    domain: (name) => {
      const target = domainTarget(name);
      return named(target, target);
    },
    url: (url, asnOf) => {
      const host = hostOf(url, asnOf);
      const consultation = listed.of({ kind: "url", url, host });
      if (host.kind === "domain") return { ...named({ kind: "url", url, host }, host), consultation };
      const { sharedInfrastructure, isBogon } = address(host.ip, host.asn);
      return { ...NOTHING_ELSE, consultation, sharedInfrastructure, isBogon };
    },
    email: (text) => {
      const domain = domainTarget(text.slice(text.lastIndexOf("@") + 1));
      return named({ kind: "email", email: text, domain }, domain);
    },
  };
}

const NOTHING_ELSE = {
  signals: [],
  sharedInfrastructure: null,
  isBogon: false,
  networks: [],
  isEdge: false,
} as const;

type AddressParts = AssessorParts & { readonly listed: Listed };

function assessAddress(
  { listed, listings, networks, now }: AddressParts,
  ip: Ip,
  asn: number | null,
): Assessed {
  const nowMs = now.getTime();
  const special = specialPurposeOf(ip);
  const isBogon = special?.isBogon ?? false;
  const target: IpTarget = { kind: "ip", ip, embeddedIpv4: special?.embeddedIpv4 ?? null, asn, isBogon };
  const subject = special?.embeddedIpv4 ?? ip;
  const found = networks.find(listings, subject, asn, nowMs);
  const hits = isBogon ? found.filter(({ builtin }) => !builtin) : found;
  const consultation = listed.of(target);
  // Most addresses: nothing is known of their use.
  if (hits.length === 0 && asn === null && publicDnsAt(ip.text) === null)
    return { ...NOTHING_ELSE, consultation, isBogon };
  const usage = knownUsageOf({
    hits,
    coverage: networks.coverage(listings, subject.version, nowMs),
    address: ip.text,
    asn,
    isAsnKnown: true,
    asnType: asn === null ? "" : asnTypeOf({ asn, org: "" }),
  });
  return { consultation, isBogon, networks: hits, ...meaningOf(usage) };
}

function createPlain({ listed, listings, networks, now }: AddressParts): Assessor["plain"] {
  const nowMs = now.getTime();
  const known: (NetworkHit | null)[] = [];
  const hitOf = ({ list, prefix }: ListedEntry): NetworkHit | null => {
    const place = list * 256 + prefix;
    const before = known[place];
    if (before !== undefined) return before;
    const hit = networks.hitOf(listings, list, prefix, nowMs);
    known[place] = hit;
    return hit;
  };
  return (version, entries) => {
    const consultation = listed.ofEntries(version, entries);
    const hits: NetworkHit[] = [];
    for (const entry of entries) {
      const hit = hitOf(entry);
      if (hit !== null) hits.push(hit);
    }
    if (hits.length === 0) return { ...NOTHING_ELSE, consultation };
    const usage = knownUsageOf({
      hits,
      coverage: networks.coverage(listings, version, nowMs),
      address: "",
      asn: null,
      isAsnKnown: true,
      asnType: "",
    });
    return { consultation, isBogon: false, networks: hits, ...meaningOf(usage) };
  };
}

/** A child process that makes exports lives for seconds: it may remember the use of all that its lists combine to. */
const knownUsageOf = createKnownUsage(50_000);

type Meaning = Pick<Assessed, "signals" | "sharedInfrastructure" | "isEdge">;

const meanings = new WeakMap<AddressUsage, Meaning>();

/** What the use of an address adds to its score or takes from it: the same of all addresses of one use. */
function meaningOf(usage: AddressUsage): Meaning {
  const known = meanings.get(usage);
  if (known !== undefined) return known;
  const information = { ...usage.information, ...botFactsOf(NOT_ASKED, usage).information };
  const meaning: Meaning = {
    signals: ipSignals({ anonymity: usage.anonymity, information }, null),
    sharedInfrastructure: sharedInfrastructureOf({ information }),
    isEdge: usage.information.edge_service !== "",
  };
  meanings.set(usage, meaning);
  return meaning;
}

const domainTarget = (name: string): DomainTarget => ({
  kind: "domain",
  name,
  registeredDomain: registeredDomainOf(name),
});

function hostOf(url: string, asnOf: (ip: Ip) => number | null): IpTarget | DomainTarget {
  const hostname = URL.parse(url)?.hostname ?? "";
  const ip = readIp(hostname.replace(/^\[(.*)\]$/, "$1"));
  if (ip === null) return domainTarget(hostname);
  const special = specialPurposeOf(ip);
  const embeddedIpv4 = special?.embeddedIpv4 ?? null;
  return { kind: "ip", ip, embeddedIpv4, asn: asnOf(embeddedIpv4 ?? ip), isBogon: special?.isBogon ?? false };
}
