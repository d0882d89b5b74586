import type { Consultation } from "../../engines/kind.ts";
import type { DomainTarget, IpTarget } from "../../engines/target.ts";
import { specialPurposeOf } from "../../targets/special-purpose.ts";
import type { UrlHost } from "../../targets/url.ts";
import { addressTarget } from "../address-target.ts";
import { sharedInfrastructureOf } from "../check-ip/signals.ts";
import type { Deps } from "../deps.ts";
import type { LookupContext } from "../product.ts";

/** What the engines say of a URL (canonical) and its host. */
export const consultUrl = async (
  { text, host }: { readonly text: string; readonly host: UrlHost },
  deps: Pick<Deps, "engines" | "ipEnrichment">,
  time: LookupContext & { readonly isListsOnly?: boolean },
): Promise<Consultation> =>
  deps.engines.consult({ kind: "url", url: text, host: engineHostOf(host, deps) }, time);

/** A URL's host as the engines are asked about it. */
export function engineHostOf(host: UrlHost, deps: Pick<Deps, "ipEnrichment">): IpTarget | DomainTarget {
  if (host.kind === "domain") {
    const { name, registeredDomain } = host.domain;
    return { kind: "domain", name, registeredDomain };
  }
  return addressTarget(host.ip, deps);
}

/** Whether a URL's host is an address outside the public Internet. */
export const isBogonHost = (host: UrlHost): boolean =>
  host.kind === "ip" && (specialPurposeOf(host.ip)?.isBogon ?? false);

/** Of a name that nothing was looked up about. */
export const NOTHING_ELSE = { ageDays: null, addresses: null, nameServers: null, isForSale: null } as const;

/** The sentence that names the shared infrastructure which a host is, or null (design 4.3); nothing is looked up. */
export const sharedInfrastructureAt = (
  host: UrlHost,
  { ipEnrichment, domainFacts }: Pick<Deps, "ipEnrichment" | "domainFacts">,
): string | null =>
  host.kind === "ip"
    ? sharedInfrastructureOf(ipEnrichment.describe(host.ip))
    : domainFacts.judge(host.domain, NOTHING_ELSE).sharedInfrastructure;
