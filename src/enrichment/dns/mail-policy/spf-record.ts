import { readIp } from "../../../targets/ip.ts";

export type SpfAll = "pass" | "fail" | "softfail" | "neutral";

/** One SPF record, read by itself. */
export type SpfRecord = {
  /** What it says of everybody else; null without `all`. */
  readonly all: SpfAll | null;
  /** Records that it takes in, in order; those whose name depends on the message (macros) are left out. */
  readonly includes: readonly string[];
  /** The record that stands in its place; null when it has `all`. */
  readonly redirect: string | null;
  /** Terms that cost a DNS lookup when it is evaluated, `include` and `redirect` among them. */
  readonly lookups: number;
  /** What is wrong with it, each a sentence without an end. */
  readonly errors: readonly string[];
};

/** Whether a TXT record is an SPF record. Source: RFC 7208, 4.5. */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

const QUALIFIERS: ReadonlyMap<string, SpfAll> = new Map([
  ["+", "pass"],
  ["-", "fail"],
  ["~", "softfail"],
  ["?", "neutral"],
]);

type Directive = {
  readonly qualifier: SpfAll;
  readonly name: string;
  /** What stands behind the name, with its `:` or `/`. */
  readonly rest: string;
  readonly text: string;
};

/** What may follow each mechanism's name, and whether its evaluation asks DNS. */
const MECHANISMS: ReadonlyMap<
  string,
  { readonly asks: boolean; readonly isValid: (rest: string) => boolean }
> = new Map([
  ["all", { asks: false, isValid: (rest) => rest === "" }],
  ["include", { asks: true, isValid: (rest) => isNamed(rest) }],
  ["exists", { asks: true, isValid: (rest) => isNamed(rest) }],
  ["a", { asks: true, isValid: (rest) => isHostRest(rest) }],
  ["mx", { asks: true, isValid: (rest) => isHostRest(rest) }],
  ["ptr", { asks: true, isValid: (rest) => rest === "" || isNamed(rest) }],
  ["ip4", { asks: false, isValid: (rest) => isNetwork(rest, "v4", 32) }],
  ["ip6", { asks: false, isValid: (rest) => isNetwork(rest, "v6", 128) }],
]);

/** Reads the text of an SPF record; never throws. Source: RFC 7208, 4.6 and 12. */
export function parseSpfRecord(text: string): SpfRecord {
  const terms = text.split(" ").slice(1).filter(Boolean);
  const errors: string[] = [];
  const directives: Directive[] = [];
  const modifiers = new Map<string, string>();
  for (const term of terms) {
    const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(term);
    if (modifier === null) directives.push(directiveOf(term));
    else addModifier(modifiers, modifier, errors);
  }
  for (const directive of directives) {
    if (MECHANISMS.get(directive.name)?.isValid(directive.rest) !== true) {
      errors.push(`Not a term of SPF: "${shown(directive.text)}"`);
    }
  }
  // Nothing behind `all` is ever looked at, nor is a redirect beside it.
  const end = directives.findIndex(({ name }) => name === "all");
  const tested = end < 0 ? directives : directives.slice(0, end);
  const redirect = end < 0 ? (modifiers.get("redirect") ?? null) : null;
  const asking = tested.filter(({ name }) => MECHANISMS.get(name)?.asks === true).length;
  return {
    all: directives[end]?.qualifier ?? null,
    includes: tested.flatMap(({ name, rest }) => (name === "include" ? plainName(rest.slice(1)) : [])),
    redirect: redirect === null ? null : (plainName(redirect)[0] ?? null),
    lookups: asking + (redirect === null ? 0 : 1),
    errors,
  };
}

function directiveOf(text: string): Directive {
  const qualifier = QUALIFIERS.get(text.charAt(0));
  const bare = qualifier === undefined ? text : text.slice(1);
  const [name = ""] = bare.split(/[:/]/, 1);
  return { qualifier: qualifier ?? "pass", name: name.toLowerCase(), rest: bare.slice(name.length), text };
}

function addModifier(
  modifiers: Map<string, string>,
  [, key = "", value = ""]: RegExpExecArray,
  errors: string[],
): void {
  const name = key.toLowerCase();
  // Unknown modifiers are ignored (RFC 7208, 6).
  if (name !== "redirect" && name !== "exp") return;
  if (modifiers.has(name)) errors.push(`"${name}" stands there twice`);
  else if (!isDomainSpec(value)) errors.push(`Not a domain behind "${name}=": "${shown(value)}"`);
  else modifiers.set(name, value);
}

const shown = (text: string): string => text.slice(0, 80);

const MACROS = /%\{[slodiphcrtv]\d{0,3}r?[.\-+,/_=]*\}|%[%_-]/gi;

/** RFC 7208, 7.1; a name without macros has two labels or more. */
function isDomainSpec(text: string): boolean {
  const rest = text.replaceAll(MACROS, "");
  if (text === "" || text.length > 253 || !/^[!-~]*$/.test(rest) || rest.includes("%")) return false;
  return rest !== text || isName(text);
}

const isName = (text: string): boolean =>
  /^[a-z0-9_.-]+$/i.test(text) &&
  text.includes(".") &&
  text
    .replace(/\.$/, "")
    .split(".")
    .every((label) => label !== "" && label.length <= 63);

/** The name when it holds no macro. */
const plainName = (text: string): string[] => (isName(text) ? [text.toLowerCase().replace(/\.$/, "")] : []);

const isNamed = (rest: string): boolean => rest.startsWith(":") && isDomainSpec(rest.slice(1));

/** Of `a` and `mx`: a domain, prefix lengths, both or nothing. */
function isHostRest(rest: string): boolean {
  const [, domain = "", v4 = "", v6 = ""] = /^(:[^/]+)?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/.exec(rest) ?? [];
  if (rest !== "" && domain + v4 + v6 === "") return false;
  return (domain === "" || isNamed(domain)) && Number(v4) <= 32 && Number(v6) <= 128;
}

function isNetwork(rest: string, version: "v4" | "v6", bits: number): boolean {
  const [, address = "", , length = "0"] = /^:([^/]+)(\/(\d{1,3}))?$/.exec(rest) ?? [];
  // A mapped address is an IPv6 text all the same.
  const isOfVersion = address.includes(":") === (version === "v6");
  return readIp(address) !== null && isOfVersion && Number(length) <= bits;
}
