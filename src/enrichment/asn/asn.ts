import type { Ip } from "../../targets/ip.ts";

/** The origin AS of an address. */
export type AsnRow = {
  readonly asn: number;
  /** The organisation behind it; empty when the source has no name. */
  readonly org: string;
};

/** An address-to-AS table: the bundled one, or an operator's database. */
export type Asn = {
  /** Null when no route of the table covers the address. */
  readonly find: (ip: Ip) => AsnRow | null;
  /** Distinct IPv4 addresses that the AS announces; null when the table does not hold the AS or cannot tell. */
  readonly ipv4AddressesOf: (asn: number) => number | null;
  /** ISO 8601: when the publisher made it; null when it does not say. */
  readonly publishedAt: string | null;
};
