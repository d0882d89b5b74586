import type { IpTarget } from "../engines/target.ts";
import type { Ip } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";
import type { Deps } from "./deps.ts";

/** An address as the engines are asked about it. */
export function addressTarget(
  ip: Ip,
  { ipEnrichment }: Pick<Deps, "ipEnrichment">,
  special = specialPurposeOf(ip),
): IpTarget {
  return {
    kind: "ip",
    ip,
    embeddedIpv4: special?.embeddedIpv4 ?? null,
    asn: ipEnrichment.asnOf(ip, special),
    isBogon: special?.isBogon ?? false,
  };
}
