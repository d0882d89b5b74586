import type { Ip } from "../../targets/ip.ts";
import type { MatchLevel } from "../kind.ts";
import type { DomainTarget, EngineTarget, IpTarget } from "../target.ts";
import type { ZoneDefinition } from "./zone-definition.ts";
import { reversed, type ZoneFamily } from "./zone-names.ts";

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
      return zone.target === "domain" ? domainNames(target) : [];
    case "url":
      return namesFor(zone, target.host);
    case "email":
      return namesFor(zone, target.domain);
  }
}

function addressNames({ ipv4, ipv6 }: ZoneDefinition, { ip, embeddedIpv4 }: IpTarget): AskedName[] {
  const names: AskedName[] = [];
  if (ip.version === "v4" ? ipv4 : ipv6) names.push(addressName(ip, "ip"));
  if (ipv4 && embeddedIpv4 !== null) names.push(addressName(embeddedIpv4, "embedded_ipv4"));
  return names;
}

const addressName = (ip: Ip, level: MatchLevel): AskedName => ({
  name: reversed(ip),
  family: ip.version === "v4" ? "ipv4" : "ipv6",
  value: ip.text,
  level,
});

function domainNames({ name, registeredDomain }: DomainTarget): AskedName[] {
  const host: AskedName = { name, family: "name", value: name, level: "domain" };
  if (registeredDomain === null || registeredDomain === name) return [host];
  return [host, { ...host, name: registeredDomain, value: registeredDomain, level: "registered_domain" }];
}
