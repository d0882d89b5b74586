import type { Page } from "./page.ts";

/** What sale pages and parking pages say of their own name. */
const OFFERS =
  /\b(?:this|the) (?:web ?site |web )?(?:domain|domain name)(?: name)? (?:is|may be|might be|could be) (?:for sale|available for (?:sale|purchase)|parked)\b|\bbuy this domain\b|\bdomain (?:is )?for sale\b|\bmake an offer on this domain\b|\bparked (?:free|domain)\b/i;
/** Hosts of the services that show such pages. */
const SERVICES =
  /(?:^|\/\/|\.)(?:sedoparking\.com|parkingcrew\.net|bodis\.com|afternic\.com|hugedomains\.com|above\.com|dan\.com|domainmarket\.com)(?:[/:?"']|$)/i;
/** A page with more to say than this is about something else. */
const MAX_TEXT_BYTES = 8192;

/** Whether a page does nothing but offer its own domain name for sale, or park it. Source: design 6.4 `is_parked`. */
export function isSalePage(page: Page): boolean {
  if (page.textBytes > MAX_TEXT_BYTES) return false;
  if (OFFERS.test(page.title) || OFFERS.test(page.text)) return true;
  const isLoaded = page.resources.some(
    ({ kind, url }) => kind !== "image" && SERVICES.test(url.slice(0, 300)),
  );
  return isLoaded && page.forms.length === 0;
}
