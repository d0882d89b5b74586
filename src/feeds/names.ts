import { domainToASCII } from "node:url";
import { isListedLocal, leastQuoted, lowerMailbox } from "../targets/email.ts";
import { readFeedIp, refangRow } from "./addresses.ts";

// Lower case LDH and `_`, two labels or more, none an A-label: 99 % of rows, and no need to ask ICU.
const PLAIN_NAME = /^(?!.*xn--)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const ANY_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * The name that a row of a domain list means: A-labels in lower case, or null. Takes whole URLs, ports, leading
 * `*.` and `.`, a final dot, Unicode, defanged dots. Refuses addresses, mailboxes and single labels (a bare TLD would
 * name half the world). Source: catalogue, pitfalls 9 and 15.
 */
export function readName(text: string): string | null {
  if (text.length <= 253 && PLAIN_NAME.test(text)) return text;
  const host = hostOf(refangRow(text))
    .replace(/^\*?\.+/, "")
    .replace(/\.$/, "");
  if (host === "" || host.length > 253 || readFeedIp(host) !== null) return null;
  const ascii = domainToASCII(host).toLowerCase();
  return ascii.length <= 253 && ANY_NAME.test(ascii) ? ascii : null;
}

/** The host of a URL or of a bare row; "" for a mailbox, which says nothing of all others at its provider. */
function hostOf(text: string): string {
  if (isMailbox(text)) return "";
  const [authority = ""] = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").split(/[/?#]/, 1);
  return authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d{1,5}$/, "");
}

/** Whether a text is `local@domain` alone; `*@domain` is the domain. */
export function isMailbox(text: string): boolean {
  const local = text.slice(0, Math.max(0, text.indexOf("@")));
  return local !== "" && local !== "*" && !/[/?#]/.test(text);
}

/** 64 characters, each behind a backslash, in quotes. */
const MAX_WRITTEN_LOCAL = 130;

/**
 * The mailbox that a row of an e-mail list means: ASCII letters in lower case, its domain as A-labels; or null. Neither providers nor
 * those who report keep `Bob@` or `"bob"@` apart from `bob@`. A row without `@`, `@domain` or `*@domain`, is the domain itself.
 */
export function readEmail(text: string): string | null {
  const clean = refangRow(text.trim()).replace(/^mailto:/i, "");
  const at = clean.lastIndexOf("@");
  const domain = readName(clean.slice(at + 1));
  if (domain === null || at <= 0 || clean.slice(0, at) === "*") return domain;
  if (at > MAX_WRITTEN_LOCAL) return null;
  const local = lowerMailbox(leastQuoted(clean.slice(0, at)));
  return isListedLocal(local) ? `${local}@${domain}` : null;
}
