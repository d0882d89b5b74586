import type { Ip, Ipv4 } from "../targets/ip.ts";

/** An address that is asked about. */
export type IpTarget = {
  readonly kind: "ip";
  readonly ip: Ip;
  /** Inner address of 6to4, Teredo and NAT64. */
  readonly embeddedIpv4: Ipv4 | null;
  /** AS that originates it, or its inner address, for lists of AS numbers. */
  readonly asn: number | null;
  readonly isBogon: boolean;
};

/** A name that is asked about: A-labels, lower case. */
export type DomainTarget = {
  readonly kind: "domain";
  readonly name: string;
  /** Null for a public suffix: it matches only exactly (design 3.3). */
  readonly registeredDomain: string | null;
};

/** A URL that is asked about, canonical as `canonicalUrl` makes it. */
export type UrlTarget = {
  readonly kind: "url";
  readonly url: string;
  readonly host: IpTarget | DomainTarget;
};

/** A mailbox that is asked about; the domain in lower case. */
type EmailTarget = {
  readonly kind: "email";
  readonly email: string;
  /** Of the same mailbox, the closest first: without tag, without the dots that its provider passes over. */
  readonly otherSpellings?: readonly string[];
  readonly domain: DomainTarget;
};

export type EngineTarget = IpTarget | DomainTarget | UrlTarget | EmailTarget;
