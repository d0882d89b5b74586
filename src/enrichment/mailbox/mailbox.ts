import { domainToUnicode } from "node:url";
import { leastQuoted, lowerMailbox, type Mailbox } from "../../targets/email.ts";
import { isOneEditAway } from "../domain-names/lookalike.ts";
import { skeletonOf } from "../domain-names/skeleton.ts";
import type { MailTables } from "./tables.ts";

/** A mailbox in the one spelling that its provider delivers to. */
export type NormalizedMailbox = {
  /** Domain in lower case; for known providers dots and tag removed. */
  readonly email: string;
  /** Local part without its tag, in its own case, with no quotes but those that it needs. */
  readonly username: string;
  readonly isTagged: boolean;
  /** Other spellings of the same mailbox: with fewer quotes; at a known provider also without the tag, and `email`. */
  readonly otherSpellings: readonly string[];
};

/** The one spelling of an address (design 9, `normalized_email`). */
export function normalizeMailbox(mailbox: Mailbox, tables: MailTables): NormalizedMailbox {
  const { domain } = mailbox;
  const local = leastQuoted(mailbox.local);
  const unquoted = local === mailbox.local ? [] : [`${local}@${domain.name}`];
  const rule = tables.ruleOf(domain.name);
  const isQuoted = local.startsWith('"');
  const cut = isQuoted ? -1 : tagStart(local, rule?.tag ?? "+");
  const isTagged = cut > 0;
  const username = isTagged ? local.slice(0, cut) : local;
  if (rule === null || isQuoted) {
    return { email: `${local}@${domain.name}`, username, isTagged, otherSpellings: unquoted };
  }
  const bare = rule.dots ? username.replaceAll(".", "") : username;
  const email = `${lowerMailbox(bare)}@${domain.name}`;
  const otherSpellings = [...unquoted, `${username}@${domain.name}`, email];
  return { email, username, isTagged, otherSpellings };
}

/** Where the first of the signs stands behind the first letter; -1 without any. */
function tagStart(local: string, signs: string): number {
  for (let at = 1; at < local.length; at++) if (signs.includes(local.charAt(at))) return at;
  return -1;
}

/**
 * The common domain that was meant, or null: a known typo, one that looks like it (`gmаil.com` in Cyrillic, `grnail.com`), or
 * one edit away from exactly such a domain. A caller who asks decides whether the given domain is too real to be a typo.
 */
export function meantDomain(domain: string, tables: MailTables): string | null {
  const { commonDomains } = tables;
  if (commonDomains.includes(domain) || tables.ruleOf(domain) !== null) return null;
  return (
    tables.typoOf(domain) ??
    tables.commonLike(skeletonOf(domainToUnicode(domain))) ??
    commonDomains.find((common) => isOneEditAway(domain, common)) ??
    null
  );
}
