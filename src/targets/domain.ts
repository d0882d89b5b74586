import { domainToASCII, domainToUnicode } from "node:url";
import { getDomain } from "tldts";
import { toUnicode } from "tr46";
import { InvalidValue } from "../base/failure.ts";
import { isUrlLike, readIp, urlInstead } from "./ip.ts";
import { refang } from "./recognise.ts";

/** A host name as A-labels, lower case, without final dot, 2 labels or more. Comes only from this file. */
export type DomainName = string & { readonly __brand: "DomainName" };

export type Domain = {
  readonly name: DomainName;
  /** The same name as U-labels. */
  readonly unicode: string;
  /** Public suffix (ICANN and private section) and one label; null of a public suffix itself. */
  readonly registeredDomain: DomainName | null;
};

export type DomainOptions = {
  /**
   * False refuses labels with `_`. True by default: DNS carries such names (RFC 2181, section 11), browsers open hosts with
   * them (WHATWG URL), and lists name them. An e-mail domain has none (RFC 5321, 4.1.2).
   */
  readonly underscores?: boolean;
  /** Takes a name of one label, as URLs may have (`localhost`). */
  readonly singleLabel?: boolean;
};

const MAX_INPUT_LENGTH = 1024;
/** All that URL and host parsers read as more than a name, and what no name holds. Source: security P10. */
const NO_NAME = /[\p{Cc}\p{Zl}\p{Zp}\s"#$%&'()*+,/:;<=>?@[\\\]^`{|}~!\ufffd]|[\ud800-\udfff]/u;

/**
 * The domain that a caller wrote: blanks around it dropped, defanged spelling undone, UTS 46
 * non-transitional, a final dot dropped. Refuses (InvalidValue) one label, addresses, URLs, e-mail
 * addresses, empty and overlong labels, names over 253 octets, `xn--` labels that do not round-trip,
 * labels that hold anything but letters, digits, underscores and inner hyphens. Source: design 2, security P10.
 */
export function parseDomain(input: string, options: DomainOptions = {}): Domain {
  const text = refang(input.trim());
  if (text === "") throw new InvalidValue("empty", "A domain name is wanted, not an empty text");
  if (text.length > MAX_INPUT_LENGTH)
    throw new InvalidValue("too_long", "A domain name has at most 253 octets");
  refuseOtherKinds(text);
  if (NO_NAME.test(text)) {
    throw new InvalidValue("invalid_character", "This holds a character that no domain name has");
  }
  const ascii = domainToASCII(text).replace(/\.$/, "");
  if (ascii === "") throw new InvalidValue("invalid_domain", emptyLabel(text) ?? "This is not a domain name");
  if (readIp(ascii) !== null) throw new InvalidValue("ip_address", "This is an IP address: use check-ip");
  checkLabels(ascii, options);
  return domainOf(ascii);
}

function refuseOtherKinds(text: string): void {
  const bare = text.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (readIp(bare) !== null) throw new InvalidValue("ip_address", "This is an IP address: use check-ip");
  if (isUrlLike(text)) throw urlInstead();
  if (text.includes("@")) throw new InvalidValue("email", "This is an e-mail address: use email-reputation");
}

const emptyLabel = (text: string): string | null =>
  /^\.|\.\./.test(text) ? "A domain name has no empty label" : null;

function checkLabels(ascii: string, { underscores = true, singleLabel = false }: DomainOptions): void {
  if (ascii.length > 253) throw new InvalidValue("too_long", "A domain name has at most 253 octets");
  const labels = ascii.split(".");
  const shape = underscores ? /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/ : /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
  for (const label of labels) {
    if (label === "") throw new InvalidValue("empty_label", "A domain name has no empty label");
    if (label.length > 63) throw new InvalidValue("label_too_long", "A label has at most 63 octets");
    if (!shape.test(label)) throw new InvalidValue("invalid_label", labelMessage(underscores));
  }
  if (labels.length < 2 && !singleLabel)
    throw new InvalidValue("single_label", "A domain name has two labels or more");
  if (/^\d+$/.test(labels.at(-1) ?? "")) {
    throw new InvalidValue("numeric_tld", "The last label of a domain name is not a number");
  }
}

const labelMessage = (underscores: boolean): string =>
  `A label is made of letters, digits${underscores ? ", underscores" : ""} and inner hyphens`;

function domainOf(ascii: string): Domain {
  const unicode = ascii.includes("xn--") ? domainToUnicode(ascii) : ascii;
  const roundTrips = unicode !== "" && !/(^|\.)xn--/.test(unicode) && domainToASCII(unicode) === ascii;
  if (!roundTrips)
    throw new InvalidValue("invalid_punycode", "An xn-- label of this name stands for no name");
  if (unicode !== ascii && breaksIdna(ascii)) {
    throw new InvalidValue(
      "invalid_domain",
      "IDNA does not allow these characters together in a domain name",
    );
  }
  return { name: brand(ascii), unicode, registeredDomain: registeredDomainOf(ascii) };
}

/**
 * Whether a name with an `xn--` label breaks a rule of UTS 46 that Node does not know: above all the bidi rule, which holds
 * for every label of a name once one of them is written from right to left, and which Node asks of that label alone.
 * Labels with an underscore name services, not hosts, and are left out. Source: UTS 46, 4.1; RFC 5893, 2.
 */
function breaksIdna(ascii: string): boolean {
  const labels = ascii.split(".").filter((label) => !label.includes("_"));
  return toUnicode(labels.join("."), { checkBidi: true, checkJoiners: true }).error;
}

/** Public suffix (ICANN and private section) and one label, of A-labels in lower case; null of a public suffix itself. */
export function registeredDomainOf(ascii: string): DomainName | null {
  const found = getDomain(ascii, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
  return found === null || found === "" ? null : brand(found);
}

/** The name that a registry sells: an ICANN public suffix and one label; null of such a suffix itself (design 10). */
export const icannDomainOf = (name: DomainName): DomainName | null => {
  const found = getDomain(name, { extractHostname: false, validateHostname: false });
  return found === null || found === "" ? null : brand(found);
};

const brand = (name: string): DomainName => name as DomainName;
