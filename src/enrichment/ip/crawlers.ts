/** Whose crawler a reverse name claims to be. */
export type CrawlerClaim = { readonly operator: string; readonly isGoogle: boolean };

/**
 * Domains under which search engines name their crawlers. Source: their own pages on how to verify a crawler.
 * Customers' machines at Google Cloud (`bc.googleusercontent.com`) claim nothing.
 */
const DOMAINS: readonly (readonly [suffix: string, operator: string])[] = [
  ["googlebot.com", "Google"],
  ["google.com", "Google"],
  ["googleusercontent.com", "Google"],
  ["search.msn.com", "Bing"],
  ["duckduckgo.com", "DuckDuckGo"],
  ["yandex.ru", "Yandex"],
  ["yandex.net", "Yandex"],
  ["yandex.com", "Yandex"],
  ["applebot.apple.com", "Apple"],
  ["baidu.com", "Baidu"],
  ["baidu.jp", "Baidu"],
  ["crawl.yahoo.net", "Yahoo"],
  ["seznam.cz", "Seznam"],
  ["petalsearch.com", "Petal"],
  ["qwant.com", "Qwant"],
  ["mojeek.com", "Mojeek"],
  ["coccoc.com", "Cốc Cốc"],
  ["naver.com", "Naver"],
];

const NO_CLAIM = ".bc.googleusercontent.com";

/** The crawler that a reverse name (lower case, no final dot) claims to be, else null. */
export function crawlerClaimOf(name: string): CrawlerClaim | null {
  if (name.endsWith(NO_CLAIM)) return null;
  for (const [suffix, operator] of DOMAINS) {
    if (name.endsWith(suffix) && (name.length === suffix.length || name.at(-suffix.length - 1) === ".")) {
      return { operator, isGoogle: operator === "Google" };
    }
  }
  return null;
}
