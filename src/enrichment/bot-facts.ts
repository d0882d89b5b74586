import { crawlerClaimOf } from "./crawlers.ts";
import type { Information } from "./facts.ts";
import type { ReverseName } from "./reverse-dns.ts";

/** What reverse DNS and the published ranges say of crawlers. */
export type BotFacts = {
  readonly information: Pick<
    Information,
    | "reverse_dns"
    | "reverse_dns_status"
    | "reverse_dns_confirmed"
    | "is_fake_bot"
    | "is_vendor_bot"
    | "is_search_engine_bot"
  >;
  readonly unknown: readonly string[];
};

type Ranges = { readonly isVendorBotRange: boolean; readonly isSearchEngineRange: boolean };

/**
 * A crawler is verified by its published range, or by a name under its operator's domain that resolves back. Such
 * a name that does not, outside all ranges, is a fake. A time-out proves neither. Source: design 5.2.
 */
export function botFactsOf(reverse: ReverseName, ranges: Ranges): BotFacts {
  const { name, status, confirmed } = reverse;
  const claim = name === null ? null : crawlerClaimOf(name);
  const isVerified = claim !== null && confirmed === true;
  const isInRange = ranges.isVendorBotRange || ranges.isSearchEngineRange;
  return {
    information: {
      reverse_dns: name,
      reverse_dns_status: status,
      reverse_dns_confirmed: confirmed === true,
      is_fake_bot: claim !== null && confirmed === false && !isInRange,
      is_vendor_bot: ranges.isVendorBotRange || (isVerified && claim.isGoogle),
      is_search_engine_bot: ranges.isSearchEngineRange || isVerified,
    },
    unknown: unknownOf(reverse, { ...ranges, mayClaim: status !== "ok" || claim !== null }),
  };
}

function unknownOf(
  { status, confirmed }: ReverseName,
  { isVendorBotRange, isSearchEngineRange, mayClaim }: Ranges & { mayClaim: boolean },
): string[] {
  const unknown: string[] = [];
  if (status !== "ok" && status !== "nxdomain") unknown.push("information.reverse_dns");
  if (status === null) return [...unknown, "information.reverse_dns_confirmed"];
  if (confirmed !== null) return unknown;
  unknown.push("information.reverse_dns_confirmed");
  if (!mayClaim) return unknown;
  if (!isVendorBotRange && !isSearchEngineRange) unknown.push("information.is_fake_bot");
  if (!isVendorBotRange) unknown.push("information.is_vendor_bot");
  if (!isSearchEngineRange) unknown.push("information.is_search_engine_bot");
  return unknown;
}
