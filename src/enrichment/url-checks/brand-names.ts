import type { Brand } from "../domain-names/brands.ts";
import type { RelationKind } from "../domain-names/relation.ts";
import { registeredOf } from "../page/links.ts";
import type { UrlEvidence } from "./evidence.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const COMMON_WORDS = setOf(
  "adobe blockchain booking chase discord evri github kraken ledger office365 outlook stripe",
);
const IDENTITY_PROVIDERS = setOf(
  "amazon apple coinbase discord dropbox facebook github gmail google instagram linkedin microsoft office365 outlook paypal " +
    "roblox spotify steamcommunity stripe telegram tiktok twitter whatsapp yahoo",
);

/** Whether the brand's name is also a word of its own, or a program that others run under it: mail servers, code hosts. */
export const isCommonWord = ({ label }: Brand): boolean => COMMON_WORDS.has(label) || label.length < 4;

/** Whether honest sites let people in by an account of the brand's, and show its logo for that. */
export const isIdentityProvider = ({ label }: Brand): boolean => IDENTITY_PROVIDERS.has(label);

/** Whether a host is shown to be a brand's own, or is too popular to be an imitation. */
export function isKnownSite(host: string, evidence: UrlEvidence): boolean {
  const registered = registeredOf(host);
  if (evidence.brands.some(({ domains }) => domains.includes(registered))) return true;
  return (
    registered === registeredOf(evidence.url.hostname) && (evidence.isPopular || isProvenBrand(evidence))
  );
}

/** A label alone can be registered by anybody, and below some domains of brands their customers publish. */
const isProvenBrand = ({ domainFacts, site }: UrlEvidence): boolean =>
  PROOFS.has(domainFacts?.brand_related_by ?? null) && !site.is_free_hosting && !site.is_file_sharing;

const PROOFS: ReadonlySet<RelationKind | null> = new Set(["registrant", "name_servers", "network"]);

/** Whether the host asked carries the brand's label under a suffix where the brand itself is likely to hold it. */
export const hasOwnLabel = ({ domainFacts }: UrlEvidence, { domain }: Brand): boolean =>
  domainFacts?.brand_related_by === "label" && domainFacts.brand_related_to === domain;

/** Words that a text is made of: letters and digits of any script, lower case. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

const ACCOUNT_WORDS = setOf(
  "account accounts auth authenticate billing confirm credential login logon password recover recovery secure security " +
    "signin sso unlock update validate validation verification verify wallet webscr",
);

/** Whether some word asks for an account. */
export const asksForAccount = (words: readonly string[]): boolean =>
  words.some((word) => ACCOUNT_WORDS.has(word));
