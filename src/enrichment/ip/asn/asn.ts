import type { Ip } from "../../../targets/ip.ts";
import type { TableDate } from "../../table-age.ts";

/** The origin AS of an address. */
export type AsnRow = {
  readonly asn: number;
  /** The organisation behind it; empty when the source has no name. */
  readonly org: string;
  /** All ASes that announce the route, most seen first; of a table without routes the one. */
  readonly origins: readonly number[];
};

/** What a table says of an AS; null where it cannot tell. */
export type AsnSystem = {
  /** Empty when the table has no organisation for it. */
  readonly org: string;
  /** Handle in the registry, `GOOGLE`. */
  readonly name: string | null;
  /** ISO 3166-1 alpha-2 of its registration; empty when it has none. */
  readonly country: string | null;
  readonly ipv4Prefixes: number | null;
  readonly ipv6Prefixes: number | null;
  /** Distinct addresses in its prefixes. */
  readonly ipv4Addresses: number | null;
};

/** An address-to-AS table: the one in force, or an operator's database. */
export type Asn = {
  /** Null when no route of the table covers the address. */
  readonly find: (ip: Ip) => AsnRow | null;
  /** CIDR of the most specific announced prefix; empty: none covers the address; null: the table holds no prefixes. */
  readonly routeOf: (ip: Ip) => string | null;
  /** Never null: of an AS that the table does not hold it says nothing. */
  readonly systemOf: (asn: number) => AsnSystem;
  /** Of when the origins of each family are. */
  readonly dates: Readonly<Record<Ip["version"], TableDate>>;
};

/** Of an AS that a table does not hold, or when it holds nothing but origins. */
export const UNKNOWN_SYSTEM: AsnSystem = {
  org: "",
  name: null,
  country: null,
  ipv4Prefixes: null,
  ipv6Prefixes: null,
  ipv4Addresses: null,
};

/** What the first says, and the second where the first cannot tell. */
export const joinSystems = (first: AsnSystem, second: AsnSystem): AsnSystem => ({
  org: first.org || second.org,
  name: first.name ?? second.name,
  country: first.country ?? second.country,
  ipv4Prefixes: first.ipv4Prefixes ?? second.ipv4Prefixes,
  ipv6Prefixes: first.ipv6Prefixes ?? second.ipv6Prefixes,
  ipv4Addresses: first.ipv4Addresses ?? second.ipv4Addresses,
});
