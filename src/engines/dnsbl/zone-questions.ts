import type { Ip } from "../../targets/ip.ts";
import type { MatchLevel } from "../kind.ts";
import type { DomainTarget, EngineTarget, IpTarget, UrlTarget } from "../target.ts";
import type { ZoneDefinition } from "./zone-definition.ts";
import { nameOrHash, reversed, type ZoneFamily } from "./zone-names.ts";

/** One question to a zone about a target. */
export type AskedName = {
  /** What stands before the zone. */
  readonly name: string;
  readonly family: ZoneFamily;
  /** What a hit matches, and at which level. */
  readonly value: string;
  readonly level: MatchLevel;
};

/**
 * What a zone is asked about a target, the closest first: an address and the IPv4 address inside it, a name and its
 * registered domain; nothing when the zone does not apply. Source: design 3.3, 3.5.
 */
export function namesFor(zone: ZoneDefinition, target: EngineTarget): readonly AskedName[] {
  switch (target.kind) {
    case "ip":
      return zone.target === "ip" ? addressNames(zone, target) : [];
    case "domain":
      return zone.target === "domain" ? domainNames(zone, target) : [];
    case "url":
      return zone.target === "url" ? urlNames(zone, target) : namesFor(zone, target.host);
    case "email":
      return zone.target === "email"
        ? [wholeName(zone, target.email, "email")]
        : namesFor(zone, target.domain);
  }
}

function addressNames(zone: ZoneDefinition, { ip, embeddedIpv4 }: IpTarget): AskedName[] {
  const names: AskedName[] = [];
  if (ip.version === "v4" ? zone.ipv4 : zone.ipv6) names.push(addressName(zone, ip, "ip"));
  if (zone.ipv4 && embeddedIpv4 !== null) names.push(addressName(zone, embeddedIpv4, "embedded_ipv4"));
  return names;
}

const addressName = ({ prefix, hash }: ZoneDefinition, ip: Ip, level: MatchLevel): AskedName => ({
  name: prefix + (hash === null ? reversed(ip) : nameOrHash(ip.text, hash)),
  family: ip.version === "v4" ? "ipv4" : "ipv6",
  value: ip.text,
  level,
});

function domainNames(zone: ZoneDefinition, { name, registeredDomain }: DomainTarget): AskedName[] {
  const host = wholeName(zone, name, "domain");
  if (registeredDomain === null || registeredDomain === name) return [host];
  return [host, wholeName(zone, registeredDomain, "registered_domain")];
}

/** Zones of URLs know host and path, without scheme, port and query. */
function urlNames(zone: ZoneDefinition, { url }: UrlTarget): AskedName[] {
  const { hostname, pathname } = new URL(url);
  return [{ ...wholeName(zone, hostname + pathname, "url"), value: url }];
}

const wholeName = ({ prefix, hash }: ZoneDefinition, text: string, level: MatchLevel): AskedName => ({
  name: prefix + nameOrHash(text, hash),
  family: "name",
  value: text,
  level,
});
