import type { Information } from "../facts.ts";
import type { Fields } from "../unknown-fields.ts";
import { crawlerClaimOf } from "./crawlers.ts";
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
): Fields {
  const unknown: Fields[] = [];
  if (status !== "ok" && status !== "nxdomain") unknown.push(NAME_FIELD);
  if (status === null && confirmed !== null) return [...unknown, CONFIRMED_FIELD].flat();
  if (confirmed !== null) return unknown.flat();
  unknown.push(CONFIRMED_FIELD);
  if (!mayClaim) return unknown.flat();
  if (!isVendorBotRange && !isSearchEngineRange) unknown.push(FAKE_FIELD);
  if (!isVendorBotRange) unknown.push(VENDOR_FIELD);
  if (!isSearchEngineRange) unknown.push(SEARCH_FIELD);
  return unknown.flat();
}

const NAME_FIELD = ["information.reverse_dns"];
const CONFIRMED_FIELD = ["information.reverse_dns_confirmed"];
const FAKE_FIELD = ["information.is_fake_bot"];
const VENDOR_FIELD = ["information.is_vendor_bot"];
const SEARCH_FIELD = ["information.is_search_engine_bot"];
