import type { Brand } from "../domain-names/brands.ts";
import { skeletonOf } from "../domain-names/skeleton.ts";
import { tldOf } from "../domain-names/tlds.ts";
import { baseOf, registeredOf, webUrl } from "../page/links.ts";
import { hasOwnLabel, isCommonWord, isIdentityProvider, isKnownSite, wordsOf } from "./brand-names.ts";
import type { UrlEvidence } from "./evidence.ts";

/** The words that a reader sees: `PаyPal` with a Cyrillic letter or an invisible sign inside is the same as without. */
const seenWordsOf = (text: string): readonly string[] =>
  wordsOf(text.replace(/\p{Cf}+/gu, "")).map(skeletonOf);

/** Words of the titles of login pages in the languages that kits are written in. */
const LOGIN_WORDS = new Set(
  (
    "a access account accounts and app at au authentication bank banking bei card center cloud com compte connect connexion customer " +
    "de el en enter express home id il in inc inloggen ingresar iniciar la le log login logon mail my net official on online or " +
    "page payment personal portal power secure security service services sesión sesion se connecter si sign signin site sso " +
    "tu up update votre ihr ihrem konto einloggen anmelden to tracking two factor user verification verify view wallet web webmail " +
    "welcome www your"
  )
    .split(" ")
    .map(skeletonOf),
);

/**
 * The brand under whose name a page asks for a password or a card, though the page is none of the brand's; else null.
 * The name must be all that the title says, or stand beside pictures from the brand's own site, or be on the only logo,
 * so that an article, a shop's payment logos and "sign in with …" are none. Source: design 7.4 `is_phishing_heuristic`.
 */
export function imitatedBrandOf(evidence: UrlEvidence): Brand | null {
  const { page, forms, finalUrl, brands } = evidence;
  if (page === null || !(forms.password_field_present || forms.credit_card_field_present)) return null;
  if (isKnownSite(finalUrl.hostname, evidence)) return null;
  const base = baseOf(page, finalUrl);
  const looks: Looks = {
    ownLabel: skeletonOf(labelOf(finalUrl.hostname)),
    title: seenWordsOf(page.title.slice(0, 200)),
    favicon: webUrl(page.faviconUrl, base),
    logos: page.logos.map(({ url, words }) => ({ url: webUrl(url, base), words: seenWordsOf(words) })),
    asksForPassword: forms.password_field_present,
  };
  return brands.find((brand) => !isLikelyOwnSite(evidence, brand) && isImitated(looks, brand)) ?? null;
}

/** Words as `seenWordsOf` has them. */
type Looks = {
  readonly ownLabel: string;
  readonly title: readonly string[];
  readonly favicon: URL | null;
  readonly logos: readonly { readonly url: URL | null; readonly words: readonly string[] }[];
  readonly asksForPassword: boolean;
};

const labelOf = (hostname: string): string => registeredOf(hostname).split(".")[0] ?? "";

/** Country codes that are sold as words to everybody. */
const SOLD_AS_WORDS = new Set("ai cc cf co ga gq io la me ml pw su tk to tv ws".split(" "));

/**
 * Brands have sites of their own under suffixes of which no table knows all: `paypal.at`. Elsewhere than under a country
 * code the domain must be known to be older than the few days that an imitation lives.
 */
function isLikelyOwnSite(evidence: UrlEvidence, brand: Brand): boolean {
  const registered = registeredOf(evidence.finalUrl.hostname);
  if (labelOf(registered) !== brand.label) return false;
  const last = tldOf(registered).split(".").at(-1) ?? "";
  if (SOLD_AS_WORDS.has(last)) return false;
  const isAsked = registered === registeredOf(evidence.url.hostname);
  const isOld = isAsked && evidence.domainFacts?.age_days !== null && hasOwnLabel(evidence, brand);
  return last.length === 2 || isOld;
}

function isImitated({ ownLabel, title, favicon, logos, asksForPassword }: Looks, brand: Brand): boolean {
  const without = withoutBrand(title, brand);
  const rest = without ?? title;
  const isNamed = without !== null;
  const saysNothingElse = rest.every((word) => LOGIN_WORDS.has(word));
  const borrows = isFrom(favicon, brand) || logos.some(({ url }) => isFrom(url, brand));
  if (borrows && (saysNothingElse || (isNamed && !rest.includes(ownLabel)))) return true;
  if (!saysNothingElse || isCommonWord(brand)) return false;
  if (isNamed) return true;
  const isOnlyLogo = logos.length > 0 && logos.every(({ words }) => withoutBrand(words, brand) !== null);
  return isOnlyLogo && asksForPassword && !isIdentityProvider(brand);
}

/** The words without the brand's, or null where it is not among them. */
function withoutBrand(words: readonly string[], brand: Brand): readonly string[] | null {
  for (const name of brand.words) {
    const parts = seenWordsOf(name);
    const at = words.findIndex((_, i) => parts.every((part, j) => words[i + j] === part));
    if (at >= 0) return [...words.slice(0, at), ...words.slice(at + parts.length)];
  }
  return null;
}

/** A picture of the brand's own site; its main domain only, for strangers keep files on the others. */
const isFrom = (url: URL | null, { domain }: Brand): boolean =>
  url !== null &&
  registeredOf(url.hostname) === domain &&
  !SHARED_PICTURES.test(`${url.hostname}${url.pathname}`);

/** Pictures of other sites that brands hand out: favicons of any name, files of any user. */
const SHARED_PICTURES =
  /^www\.google\.com\/s2\/|^(?:docs|drive|sites|lh\d)\.google\.com\/|^github\.com\/|^www\.dropbox\.com\//;
