import { parseIpv4Value, parseIpv6Words } from "../../../targets/ip.ts";
import type { SpfAll } from "./shapes.ts";
import {
  domainFault,
  macroStringFault,
  plainName,
  prefixFault,
  readHostArgument,
  type SpfFault,
} from "./spf-syntax.ts";

/** A term whose lookup has to find something: addresses, mail servers. */
type SpfHost = {
  readonly kind: "address" | "mx";
  /** Null for the record's own domain. */
  readonly name: string | null;
};

/** One SPF record, read by itself. */
export type SpfRecord = {
  /** What it says of all other senders; null without `all`. */
  readonly all: SpfAll | null;
  /** Records that it includes, in order; those whose name depends on the message (macros) are left out. */
  readonly includes: readonly string[];
  /** Names that `a`, `mx` and `exists` look up, in order; those with macros are left out. */
  readonly hosts: readonly SpfHost[];
  /** The record that replaces it; null when it has `all`. */
  readonly redirect: string | null;
  /** Terms that cost a DNS lookup when it is evaluated, `include` and `redirect` among them. */
  readonly lookups: number;
  /** What is wrong with it, each a sentence without a full stop. */
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
  /** What follows the name, with its `:` or `/`. */
  readonly rest: string;
  readonly text: string;
};

type Mechanism = {
  /** Whether its evaluation costs a DNS lookup. */
  readonly asks: boolean;
  /** What is wrong with what follows its name. */
  readonly fault: (rest: string) => SpfFault;
  /** What it looks up, when it is valid. */
  readonly host?: (rest: string) => SpfHost | null;
};

/** Source: RFC 7208, 5. */
const MECHANISMS: ReadonlyMap<string, Mechanism> = new Map<string, Mechanism>([
  ["all", { asks: false, fault: (rest) => (rest === "" ? null : '"all" has no argument') }],
  ["include", { asks: true, fault: namedFault }],
  ["exists", { asks: true, fault: namedFault, host: (rest) => namedHost("address", rest) }],
  ["a", { asks: true, fault: hostFault, host: (rest) => hostOf("address", rest) }],
  ["mx", { asks: true, fault: hostFault, host: (rest) => hostOf("mx", rest) }],
  ["ptr", { asks: true, fault: (rest) => (rest === "" ? null : namedFault(rest)) }],
  ["ip4", { asks: false, fault: (rest) => networkFault(rest, "IPv4", 32) }],
  ["ip6", { asks: false, fault: (rest) => networkFault(rest, "IPv6", 128) }],
]);

/**
 * Reads the text of an SPF record, where each character is an octet; never throws, one pass over each term.
 * Source: RFC 7208, 4.6 and 12.
 */
export function parseSpfRecord(text: string): SpfRecord {
  const errors: string[] = [];
  const directives: Directive[] = [];
  const modifiers = new Map<string, string>();
  for (const term of text.split(" ").slice(1)) {
    if (term === "") continue;
    const name = /^[a-z][a-z0-9_.-]*(?==)/i.exec(term)?.[0];
    if (name !== undefined) {
      const fault = addModifier(modifiers, name.toLowerCase(), term.slice(name.length + 1));
      if (fault !== null) errors.push(`${quoted(term)} is not valid: ${fault}`);
      continue;
    }
    const directive = directiveOf(term);
    const fault = directiveFault(directive);
    if (fault === null) directives.push(directive);
    else errors.push(`${quoted(term)} is not valid: ${fault}`);
  }
  return { ...summaryOf(directives, modifiers), errors };
}

/** What is evaluated: nothing after `all`, and no redirect beside it. */
function summaryOf(
  directives: readonly Directive[],
  modifiers: ReadonlyMap<string, string>,
): Omit<SpfRecord, "errors"> {
  const end = directives.findIndex(({ name }) => name === "all");
  const tested = end < 0 ? directives : directives.slice(0, end);
  const redirect = end < 0 ? modifiers.get("redirect") : undefined;
  const asking = tested.filter(({ name }) => MECHANISMS.get(name)?.asks === true).length;
  return {
    all: directives[end]?.qualifier ?? null,
    includes: tested.flatMap(({ name, rest }) =>
      name === "include" ? (plainName(rest.slice(1)) ?? []) : [],
    ),
    hosts: tested.flatMap(({ name, rest }) => MECHANISMS.get(name)?.host?.(rest) ?? []),
    redirect: redirect === undefined ? null : plainName(redirect),
    lookups: asking + (redirect === undefined ? 0 : 1),
  };
}

function directiveOf(text: string): Directive {
  const qualifier = QUALIFIERS.get(text.charAt(0));
  const bare = qualifier === undefined ? text : text.slice(1);
  const [name = ""] = bare.split(/[:/]/, 1);
  return { qualifier: qualifier ?? "pass", name: name.toLowerCase(), rest: bare.slice(name.length), text };
}

function directiveFault({ name, rest }: Directive): SpfFault {
  const mechanism = MECHANISMS.get(name);
  return mechanism === undefined ? "there is no such mechanism" : mechanism.fault(rest);
}

function addModifier(modifiers: Map<string, string>, name: string, value: string): SpfFault {
  // Unknown modifiers are ignored, once their macros are valid (RFC 7208, 6).
  if (name !== "redirect" && name !== "exp") return macroStringFault(value);
  if (modifiers.has(name)) return `"${name}" appears twice`;
  const fault = domainFault(value);
  if (fault === null) modifiers.set(name, value);
  return fault;
}

const MAX_SHOWN_LENGTH = 80;

/** Visible ASCII as it is, everything else as `\DDD`. */
const quoted = (octets: string): string =>
  `"${octets
    .slice(0, MAX_SHOWN_LENGTH)
    .replace(/[^!-~]/gu, (character) => `\\${String(character.codePointAt(0) ?? 0).padStart(3, "0")}`)}"`;

function namedFault(rest: string): SpfFault {
  if (!rest.startsWith(":")) return "a domain is missing";
  const domain = rest.slice(1);
  // The commonest mistake of all.
  if (parseIpv4Value(domain) !== null) return `this is an address, to be written as "ip4:${domain}"`;
  return domainFault(domain);
}

/** Of `a` and `mx`: a domain, prefix lengths, both or nothing. */
function hostFault(rest: string): SpfFault {
  const { domain, prefix4, prefix6 } = readHostArgument(rest);
  return (
    (prefix4 === null ? null : prefixFault(prefix4, 32)) ??
    (prefix6 === null ? null : prefixFault(prefix6, 128)) ??
    (domain === "" ? null : namedFault(domain))
  );
}

function networkFault(rest: string, version: "IPv4" | "IPv6", bits: number): SpfFault {
  if (!rest.startsWith(":")) return "an address is missing";
  const slash = rest.indexOf("/");
  const address = rest.slice(1, slash < 0 ? undefined : slash);
  const isAddress = (version === "IPv4" ? parseIpv4Value(address) : parseIpv6Words(address)) !== null;
  if (!isAddress) return `an ${version} address is wanted`;
  return slash < 0 ? null : prefixFault(rest.slice(slash + 1), bits);
}

function hostOf(kind: SpfHost["kind"], rest: string): SpfHost | null {
  const { domain } = readHostArgument(rest);
  return domain === "" ? { kind, name: null } : namedHost(kind, domain);
}

function namedHost(kind: SpfHost["kind"], domain: string): SpfHost | null {
  const name = plainName(domain.slice(1));
  return name === null ? null : { kind, name };
}
