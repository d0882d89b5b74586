// Made by `npm run web:types` from src/targets/recognise.ts.
// Imports nothing: `npm run web:types` copies this file to `web/`, so that the pages recognise what the service does.

/** What a text can name. */
export type TargetKind = "ip" | "network" | "asn" | "url" | "email" | "domain";

/** A kind of target, and the text as the parser of that kind takes it: refanged, without what does not belong to it. */
export type Recognised = { readonly kind: TargetKind; readonly text: string };

/** Characters of the longest target, a URL; longer texts are not recognised. */
const MAX_LENGTH = 4096;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/;
const IPV6 = /^(?=.*:.*:)[0-9a-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?$/i;
const NETWORK = /^([0-9a-f:.]{2,45})\/(\d{1,3})$/i;
const ASN = /^asn? ?(\d{1,10})$/i;
const BRACKETED = /^\[([0-9a-f:.]{2,45})\](?::\d{1,5})?$/i;
const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\/[^\s/]/i;
const HOST_BEFORE_PATH = /^[^\s/@?#]+(?=[/?#]\S)/;
const EMAIL = /^(?:[^\s@[\]]+|"[^"\n\r]*")@[^\s@/]+$/;
const MAILTO = "mailto:";
const PORT = /:\d{1,5}$/;
const NAME = /^[^\s"#$%&'()*+,/:;<=>?@[\\\]^`{|}~!]+$/;
/** UTS 46 takes any of them between labels. */
const FULL_STOP = /[.\u3002\uff0e\uff61]/;
/** Longer than any target may be; what is longer is refused by its parser, however it is spelt. */
const MAX_REFANGED = 8192;

/** A web address up to its path: the scheme, and what follows it. */
const WEB_ADDRESS = /^(h(?:tt|xx)ps?)(?::|\[:\])\/\/([^\s/?#\\]*)(?=[/?#\\])/i;
const MARK = /\[\.\]|\(\.\)|\{\.\}|\[:\]|\[@\]|\[at\]/i;

/**
 * Undoes defanged spellings: `[.]` `(.)` `{.}`, `[:]`, `[@]`, `[at]`, `hxxp(s)`. Behind a host that is not defanged they belong to
 * the path or the query: `http://example.com/?q=(.)`.
 */
export function refang(text: string): string {
  if (text.length > MAX_REFANGED) return text;
  const [start, scheme = "", host = ""] = WEB_ADDRESS.exec(text) ?? [];
  if (start !== undefined && !MARK.test(host))
    return `${scheme.replace(/^hxxp/i, "http")}://${host}${text.slice(start.length)}`;
  return text
    .replace(/\[\.\]|\(\.\)|\{\.\}/g, ".")
    .replaceAll("[:]", ":")
    .replace(/\[@\]|\[at\]/gi, "@")
    .replace(/^hxxp(?=s?:\/\/)/i, "http"); // a scheme alone: `hxxp-mail.example` is a name
}

/**
 * Recognises a pasted text by its form alone: what stands around it (blanks, marks that are not seen, `<>`, quotes) and
 * defanged spellings are undone, a port is dropped from an address or a name, a host with a path gets `http://`. The parser
 * of the kind has the last word. Null for everything else.
 */
export function recognise(input: string): Recognised | null {
  const text = refang(unwrap(input));
  if (text.length > MAX_LENGTH) return null;
  return addressIn(text) ?? networkIn(text) ?? asnIn(text) ?? urlIn(text) ?? emailIn(text) ?? domainIn(text);
}

/** Marks of direction and breaks of no width, which programs copy along. */
const UNSEEN = /^[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]$/;
const WRAPS: Readonly<Record<string, string>> = {
  "<": ">",
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "«": "»",
};

/** Without what texts and programs put around a value: RFC 3986 appendix C, and quotes. */
function unwrap(input: string): string {
  const text = trimUnseen(input);
  const isWrapped = text.length > 2 && WRAPS[text.charAt(0)] === text.at(-1);
  return isWrapped ? trimUnseen(text.slice(1, -1)) : text;
}

function trimUnseen(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && UNSEEN.test(text.charAt(from))) from++;
  while (to > from && UNSEEN.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

const isAddress = (text: string): boolean => IPV4.test(text) || IPV6.test(text);

function addressIn(text: string): Recognised | null {
  const inner = BRACKETED.exec(text)?.[1];
  if (inner !== undefined) return isAddress(inner) ? { kind: "ip", text: inner } : null;
  if (isAddress(text)) return { kind: "ip", text };
  const host = text.replace(PORT, "");
  return IPV4.test(host) ? { kind: "ip", text: host } : null;
}

function networkIn(text: string): Recognised | null {
  const [, address = "", bits = ""] = NETWORK.exec(text) ?? [];
  const widest = address.includes(":") ? 128 : 32;
  return isAddress(address) && Number(bits) <= widest ? { kind: "network", text } : null;
}

function asnIn(text: string): Recognised | null {
  const number = ASN.exec(text)?.[1];
  return number === undefined ? null : { kind: "asn", text: `AS${number}` };
}

function urlIn(text: string): Recognised | null {
  if (URL_LIKE.test(text)) return { kind: "url", text };
  const host = HOST_BEFORE_PATH.exec(text)?.[0] ?? "";
  return FULL_STOP.test(host) || host.startsWith("[") ? { kind: "url", text: `http://${text}` } : null;
}

/** An address, or a link that writes to one. */
function emailIn(text: string): Recognised | null {
  const isLink = text.slice(0, MAILTO.length).toLowerCase() === MAILTO;
  const address = isLink ? (text.slice(MAILTO.length).split("?", 1)[0] ?? "") : text;
  return EMAIL.test(address) ? { kind: "email", text: address } : null;
}

function domainIn(text: string): Recognised | null {
  const name = trimUnseen(text.replace(/\/$/, "").replace(PORT, "").replace(/\.$/, ""));
  const labels = name.split(FULL_STOP);
  // No top-level domain is a number: "256.1.1.1" is an address with a fault.
  const isNumber = /^\d+$/.test(labels.at(-1) ?? "");
  return NAME.test(name) && labels.length > 1 && !labels.includes("") && !isNumber
    ? { kind: "domain", text: name }
    : null;
}
