import { domainToASCII } from "node:url";
import { lowerMailbox } from "../targets/email.ts";

const LOCAL_PART = /[a-z0-9.!#$%&'*+/=?^_`{|}~\u0080-\uffff-]/i;
const DOMAIN_PART = /[a-z0-9.\u0080-\uffff-]/i;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** Every e-mail address in a text, lower case, unique, in order; linear in the text's length. */
export function emailsIn(text: string): string[] {
  const found = new Set<string>();
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const address = addressAround(text, at);
    if (address !== null) found.add(address);
  }
  return [...found];
}

function addressAround(text: string, at: number): string | null {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && LOCAL_PART.test(text.charAt(start - 1))) start--;
  let end = at + 1;
  while (end < text.length && end - at <= MAX_DOMAIN && DOMAIN_PART.test(text.charAt(end))) end++;
  const local = text.slice(start, at).replace(/^(?:[.'/=*]|mailto:)+|\.+$/g, "");
  const domain = hostOf(text.slice(at + 1, end).replace(/[.-]+$/, ""));
  return local === "" || domain === null ? null : `${lowerMailbox(local)}@${domain}`;
}

/** The one address that a field holds, lower case with A-labels; null when it holds none. */
export const emailOf = (text: string): string | null => emailsIn(text)[0] ?? null;

/** The domain of an address that `emailsIn` gave. */
export const emailDomainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/** Lower case, unique, sorted (design 10). */
export const sortedEmails = (texts: Iterable<string>): string[] =>
  [...new Set([...texts].flatMap(emailsIn))].sort();

const HOST = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** A name of two labels or more as a registry writes it, as A-labels in lower case without final dot, or null. */
export function hostOf(text: string): string | null {
  if (text.length > MAX_DOMAIN + 1) return null;
  const bare = text.toLowerCase().replace(/\.$/, "");
  const ascii = /^[\x21-\x7e]*$/.test(bare) ? bare : domainToASCII(bare);
  return HOST.test(ascii) ? ascii : null;
}
