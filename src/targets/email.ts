import { parse as parseName } from "tldts";
import { InvalidValue } from "../base/failure.ts";
import { type Domain, parseDomain } from "./domain.ts";
import { refang } from "./recognise.ts";

/** Why a text is no address that mail can be sent to (design 9). */
type FormatError = "no_at" | "local_part" | "domain" | "too_long" | "tld";

/** A mailbox as written: `local` with its case, `domain` as A-labels. */
export type Mailbox = {
  readonly local: string;
  readonly domain: Domain;
  /** The local part needs SMTPUTF8 (RFC 6531). */
  readonly isSmtputf8: boolean;
};

export type ReadMailbox =
  | { readonly state: "valid"; readonly mailbox: Mailbox }
  | {
      readonly state: "invalid";
      readonly error: FormatError;
      /** Text before the last `@`, or all of it. */
      readonly local: string;
      /** The domain where it can be read as one, else null. */
      readonly domain: Domain | null;
    };

/** RFC 5321, 4.5.3.1: a path has 256 octets, its brackets included; a local part 64. */
const MAX_OCTETS = 254;
const MAX_LOCAL_OCTETS = 64;

/** RFC 5321, 4.1.2 `Dot-string` over RFC 5322's atext, with RFC 6531's characters beyond ASCII. */
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+$/u;
/** What RFC 6531 lets pass and no mailbox has: controls, formats, foreign blanks, surrogates, private use, unassigned. */
const NO_MAILBOX = /\p{C}|(?! )\p{Z}/u;
/** RFC 5321, 4.1.2 `Quoted-string`: any number of qtextSMTP, RFC 6531's beyond ASCII among them, and quoted pairs. */
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"$/u;

/**
 * Reads an e-mail address: blanks around it dropped, defanged spellings undone (design 2). `isKnownTld` is asked of a
 * top-level domain that the public suffix list does not have. Never throws; linear in the text.
 */
export function readMailbox(input: string, isKnownTld: (tld: string) => boolean): ReadMailbox {
  const text = refang(input.trim());
  const at = text.lastIndexOf("@");
  if (at < 0) return { state: "invalid", error: "no_at", local: text, domain: null };
  const local = text.slice(0, at);
  const domain = readDomain(text.slice(at + 1));
  const invalid = (error: FormatError): ReadMailbox => ({ state: "invalid", error, local, domain });
  if (Buffer.byteLength(text) > MAX_OCTETS) return invalid("too_long");
  if (!isLocalPart(local)) return invalid("local_part");
  if (domain === null) return invalid("domain");
  if (!hasKnownTld(domain.name, isKnownTld)) return invalid("tld");
  return { state: "valid", mailbox: { local, domain, isSmtputf8: /[^\0-\x7f]/.test(local) } };
}

function readDomain(text: string): Domain | null {
  try {
    return parseDomain(text, { underscores: false });
  } catch (error) {
    if (error instanceof InvalidValue) return null;
    throw error;
  }
}

function isLocalPart(local: string): boolean {
  if (local === "" || Buffer.byteLength(local) > MAX_LOCAL_OCTETS) return false;
  if (NO_MAILBOX.test(local)) return false;
  return local.startsWith('"') ? QUOTED.test(local) : isDotString(local);
}

/**
 * Whether a list can mean a mailbox by this local part. Dots may stand where RFC 5321 has none: hosts gave out such mailboxes
 * (`a..b@`), and lists name them.
 */
export function isListedLocal(local: string): boolean {
  if (Buffer.byteLength(local) > MAX_LOCAL_OCTETS || NO_MAILBOX.test(local) || local.includes(" "))
    return false;
  const atoms = local.split(".").filter((atom) => atom !== "");
  return QUOTED.test(local) || (atoms.length > 0 && atoms.every((atom) => ATOM.test(atom)));
}

const isDotString = (local: string): boolean => local.split(".").every((atom) => ATOM.test(atom));

/**
 * A local part in its shortest spelling: quotes and backslashes that it can do without are part of no mailbox, so that
 * `"joe"` and `"j\oe"` are `joe`. Source: RFC 5321, 4.1.2.
 */
export function leastQuoted(local: string): string {
  if (!QUOTED.test(local)) return local;
  const content = local.slice(1, -1).replace(/\\(.)/gu, "$1");
  return isDotString(content) ? content : `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * How mailboxes are compared: ASCII letters in lower case, all else as it is. RFC 5321 2.4 leaves the local part to its host,
 * and lists keep `Bob@` and `bob@` as one; beyond ASCII (RFC 6531) two letters are two mailboxes, and U+212A is no `k`.
 */
export const lowerMailbox = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** In the public suffix list's ICANN section, and in no root zone (RFC 7686). */
const NOT_DELEGATED = "onion";

/** Whether the public suffix list's ICANN section has the name's top-level domain, and the root zone too. */
export const hasIcannTld = (name: string): boolean =>
  parseName(name, { extractHostname: false, validateHostname: false }).isIcann === true &&
  name.split(".").at(-1) !== NOT_DELEGATED;

const hasKnownTld = (name: string, isKnownTld: (tld: string) => boolean): boolean =>
  hasIcannTld(name) || isKnownTld(name.split(".").at(-1) ?? "");
