import { getDomain, getPublicSuffix } from "tldts";
import type { SilentFamilies } from "../../net/dns/host-addresses.ts";
import type { Ip } from "../../targets/ip.ts";
import type { Brand, BrandOwnership } from "./brands.ts";
import { isRiskyTld, tldOf } from "./tlds.ts";

/** Why a name counts as related to a brand; docs/scores.md describes each. */
export const RELATION_KINDS = ["listed", "registrant", "name_servers", "network", "label"] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

/** A brand that a name is related to: the brand's main domain, and why. */
export type BrandRelation = { readonly to: string; readonly by: RelationKind };

/** What the registry says of a registered name. */
export type RegistryEvidence = {
  readonly registrar: string | null;
  readonly registrant: string | null;
  /** The delegation; empty where the registry does not tell. */
  readonly nameServers: readonly string[];
};

/** What was looked up of a name; null: not known, which never relates a name to a brand. */
export type RelationEvidence = {
  readonly ageDays: number | null;
  readonly addresses: readonly Ip[] | null;
  /** Families of addresses that nothing is known of though `addresses` is. */
  readonly silent?: SilentFamilies;
  readonly nameServers: readonly string[] | null;
  /** Left out or null: not known. */
  readonly registry?: RegistryEvidence | null;
};

/** Finds the brand that a registered name (label and public suffix, A-labels) belongs or is related to. */
export type BrandRelations = (registered: string, evidence: RelationEvidence) => BrandRelation | null;

type Tables = BrandOwnership & {
  readonly brands: readonly Brand[];
  readonly riskyTlds: ReadonlyMap<string, string>;
  /** Origin AS of an address; left out where there is no table of them. */
  readonly asnOf?: (ip: Ip) => number | null;
};

/** A brand's label in a domain younger than this is an imitation rather than the brand's own. */
const MIN_LABEL_AGE_DAYS = 30;

/** The relations to `brands`. Waits for nothing: all it knows of the brands is data. */
export function createBrandRelations(tables: Tables): BrandRelations {
  const { brands } = tables;
  const listed = indexOf(brands, ({ domains, shared }) => [...domains, ...shared]);
  const zones = indexOf(brands, ({ nameServers }) => nameServers);
  const networks = indexOf(brands, ({ asNumbers }) => asNumbers);
  const registrants = indexOf(brands, ({ registrants: organisations }) => organisations.map(organisationKey));
  // An operator who watches a name lists every domain of the owner's: other suffixes are what is looked for.
  const labels = indexOf(brands, ({ label, isOwn }) => (isOwn ? [] : [label]));
  return (registered, evidence) => {
    // A registry speaks of what it sold, not of what strangers publish below it (`paypal.github.io`).
    const isSold = registeredOf(registered) === registered;
    const found: readonly (readonly [RelationKind, string | undefined])[] = [
      ["listed", listed.get(registered)],
      ["registrant", isSold ? registrantBrand(evidence, registrants, tables) : undefined],
      ["name_servers", isSold ? nameServerBrand(evidence, zones) : undefined],
      ["network", networkBrand(evidence, networks, tables)],
      ["label", mayBeOwnSuffix(registered, evidence, tables) ? labels.get(labelOf(registered)) : undefined],
    ];
    for (const [by, to] of found) if (to !== undefined) return { to, by };
    return null;
  };
}

/** Each value of `of` to the main domain of the first brand that has it. */
function indexOf<T>(brands: readonly Brand[], of: (brand: Brand) => readonly T[]): ReadonlyMap<T, string> {
  const index = new Map<T, string>();
  for (const brand of brands) {
    for (const value of of(brand)) if (!index.has(value)) index.set(value, brand.domain);
  }
  return index;
}

const LEGAL_FORMS = new Set(
  "ag bv company corp corporation gmbh inc incorporated limited llc ltd plc sa".split(" "),
);

/** An organisation's name in lower case, without punctuation and legal form: "Example, Inc." and "EXAMPLE INC" are one. */
const organisationKey = (name: string): string =>
  name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[.']/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !LEGAL_FORMS.has(word))
    .join(" ");

/** Anyone can register as "PayPal Inc.", but not with a registrar that checks the identity of its customers. */
function registrantBrand(
  { registry = null }: RelationEvidence,
  registrants: ReadonlyMap<string, string>,
  { corporateRegistrars }: Tables,
): string | undefined {
  if (registry === null || registry.registrant === null || registry.registrar === null) return undefined;
  const registrar = `${organisationKey(registry.registrar)} `;
  if (!corporateRegistrars.some((name) => registrar.startsWith(`${organisationKey(name)} `)))
    return undefined;
  return registrants.get(organisationKey(registry.registrant));
}

/** Real domains have at most thirteen, told by DNS and by the registry. */
const MAX_SERVERS = 50;

/**
 * Every name server must be of one brand. The zone itself may claim any name server (RFC 2181 5.4.1), the registry's
 * delegation cannot: it must be known, and agree.
 */
function nameServerBrand(
  { nameServers, registry }: RelationEvidence,
  zones: ReadonlyMap<string, string>,
): string | undefined {
  const delegation = registry?.nameServers ?? [];
  if (delegation.length === 0) return undefined;
  const servers = [...(nameServers ?? []), ...delegation];
  if (servers.length > MAX_SERVERS) return undefined;
  return onlyOne(servers, (server) => zones.get(registeredOf(server.toLowerCase().replace(/\.$/, ""))));
}

/**
 * A name whose every address is of the brand's own network leads to the brand's machines, whatever its registration says.
 * Nothing is known of it while the addresses of one family are not.
 */
function networkBrand(
  { addresses, silent = [] }: RelationEvidence,
  networks: ReadonlyMap<number, string>,
  { asnOf }: Tables,
): string | undefined {
  if (addresses === null || silent.length > 0 || asnOf === undefined) return undefined;
  return onlyOne(addresses, (ip) => networks.get(asnOf(ip) ?? 0));
}

/** The one brand of all values; undefined of no values, and where one of them has none or another. */
function onlyOne<T>(values: readonly T[], brandOf: (value: T) => string | undefined): string | undefined {
  const brands = new Set(values.map(brandOf));
  return brands.size === 1 ? [...brands][0] : undefined;
}

/**
 * Whether a brand is likely to hold its label under this suffix itself: neither one of much abuse, nor one below which
 * anybody may publish (the private section of the public suffix list), nor a domain that was registered just now.
 */
function mayBeOwnSuffix(
  registered: string,
  { ageDays }: RelationEvidence,
  { riskyTlds, deliverySuffixes }: Tables,
): boolean {
  const tld = tldOf(registered);
  if (isRiskyTld(riskyTlds, tld)) return false;
  if (ageDays !== null && ageDays < MIN_LABEL_AGE_DAYS) return false;
  const suffix = getPublicSuffix(registered, { allowPrivateDomains: true });
  return suffix === tld || deliverySuffixes.includes(suffix ?? "");
}

const labelOf = (registered: string): string => registered.split(".")[0] ?? registered;

const registeredOf = (host: string): string => getDomain(host) ?? host;
