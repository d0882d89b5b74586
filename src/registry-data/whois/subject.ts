import { domainToASCII, domainToUnicode } from "node:url";
import { hostOf } from "../emails.ts";
import { isBlank } from "../privacy.ts";
import type { Field } from "./fields.ts";
import { fieldOf } from "./labels.ts";
import type { OutlineEntry } from "./outline.ts";
import type { WhoisShape } from "./shape.ts";
import { isVerdictLabel } from "./verdict.ts";

/** Labels of lines that repeat the question or speak of the answer. */
const ECHOES: ReadonlySet<string> = new Set([
  "ace",
  "charset",
  "date",
  "domain type",
  "encoding",
  "idn",
  "language",
  "lang",
  "object type",
  "punycode",
  "query datetime",
  "query time",
  "request",
  "requested",
  "script",
  "server",
  "source",
  "time",
  "timestamp",
  "tld",
  "type",
  "unicode",
  "version",
  "whois server",
]);
const MAX_LABEL_WORDS = 4;

const hostIn = (text: string): string | null => hostOf(text.split(/[\s(]/, 1)[0] ?? "");

/** The domains that an answer names as its subject. Empty: it names none. */
const subjectsOf = (names: readonly string[]): string[] => names.map(hostIn).filter((name) => name !== null);

/** Whether a name is that of the domain's TLD, in letters of any script. */
function isTld(name: string, domain: string): boolean {
  const tld = domain.slice(domain.lastIndexOf(".") + 1);
  return !domain.startsWith(`${tld}.`) && domainToASCII(name) === tld;
}

/**
 * False when the answer names a domain other than the one asked for, or the TLD before all: whose its lines are is then not
 * certain.
 */
export const isAbout = (names: readonly string[], domain: string): boolean =>
  !isTld(names[0] ?? "", domain) && subjectsOf(names).every((subject) => subject === domain);

/** Whether the answer names the asked domain as its subject. */
export const isNamed = (names: readonly string[], domain: string): boolean =>
  subjectsOf(names).includes(domain);

/** A domain name in a sentence, in any script, but not that of an e-mail address. */
const NAME = /(?<![\p{L}\p{M}\p{N}·・׳״_@.-])[\p{L}\p{M}\p{N}·・׳״_-]+(?:\.[\p{L}\p{M}\p{N}·・׳״_-]+)+/gu;
const MAX_NAMES = 20;

/**
 * False when a sentence, as written, names domains, and none of them is the asked one. The registry's own hosts do not
 * count: they are `server`, or are called `whois`, `www` or `nic`.
 */
export function isSentenceAbout(sentence: string, domain: string, server: string | null): boolean {
  const named = (sentence.match(NAME) ?? [])
    .slice(0, MAX_NAMES)
    .map(hostOf)
    .filter((name) => name !== null);
  const others = named.filter((name) => name !== server && !/^(?:whois|www|nic)\./.test(name));
  return others.length === 0 || named.some((name) => name === domain || name === withoutJoiners(domain));
}

/** The domain as the lines of an answer have it: `printable` drops the joiners of Persian and Indic names. */
const withoutJoiners = (domain: string): string | null =>
  hostOf(domainToUnicode(domain).replace(/\u200c|\u200d/g, ""));

/**
 * The entries without the TLD's own object, which IANA sends, and programs that follow its referral put before the registry's
 * answer. It is the first that the answer names, and ends with `source: IANA`, or else before another name.
 */
export function withoutTld(
  entries: readonly OutlineEntry[],
  isName: (entry: OutlineEntry) => boolean,
  domain: string,
): readonly OutlineEntry[] {
  const first = entries.findIndex(isName);
  if (!isTld(entries[first]?.value ?? "", domain)) return entries;
  const isOther = (entry: OutlineEntry) => isName(entry) && !isTld(entry.value, domain);
  const end = entries.findIndex((entry) => isEndOfIana(entry) || isOther(entry));
  return entries.filter((entry, i) => i < first || i > end || isOther(entry) || !isOfIana(entry));
}

const isEndOfIana = ({ label, value }: OutlineEntry): boolean => label === "source" && value === "IANA";

/** The labels of IANA's objects. Source: whois.iana.org. */
const OF_IANA: ReadonlySet<string> = new Set([
  "address",
  "changed",
  "contact",
  "created",
  "domain",
  "domain ace",
  "ds rdata",
  "e mail",
  "fax no",
  "name",
  "nserver",
  "organisation",
  "phone",
  "remarks",
  "source",
  "status",
  "whois",
]);

const isOfIana = ({ label, value }: OutlineEntry): boolean =>
  OF_IANA.has(label) && (label !== "status" || /^(?:in)?active$/i.test(value));

/** The lines that stand with the asked name in one object, without those that repeat the question or judge it. */
export function ownLinesOf(
  entries: readonly OutlineEntry[],
  isName: (entry: OutlineEntry) => boolean,
  domain: string,
): readonly OutlineEntry[] {
  const places = new Set<string>();
  for (const entry of entries) {
    if (isName(entry) && hostIn(entry.value) === domain) places.add(placeOf(entry));
  }
  return entries.filter((entry) => places.has(placeOf(entry)) && !isName(entry) && isOfObject(entry));
}

const placeOf = ({ unit, block }: OutlineEntry): string => `${unit} ${block}`;

const isOfObject = ({ label, value }: OutlineEntry): boolean =>
  label !== "" &&
  !isBlank(value) &&
  label.split(" ").length <= MAX_LABEL_WORDS &&
  !ECHOES.has(label) &&
  !isVerdictLabel(label);

/** Fields that a server may show of an unregistered name. */
const TELLS_LITTLE: ReadonlySet<Field> = new Set(["dnssec", "referral", "registrarUrl"]);

/** Fields of dates; a line without a number tells none: `Registered: no`. */
const DATES: ReadonlySet<Field> = new Set(["created", "expires", "updated"]);

/** Whether only the object of a registered domain has such a line. `field` is what the label means. */
export const isOfRecord = ({ label, value }: OutlineEntry, field: Field | null): boolean =>
  (field !== null && !TELLS_LITTLE.has(field) && (!DATES.has(field) || /\d/.test(value))) ||
  /^(?:mntnr|mnt by|descr|(?:admin|tech|zone|billing|abuse|owner|holder|registrant) (?:c|contact)(?: id)?)$/.test(
    label,
  );

const NAMES_NO_HOLDER: ReadonlySet<Field | null> = new Set(["domain", "status", "handle"]);

/** Whether a line, wherever it stands, tells of a domain with a holder: `Updated Date: 2024-03-21`. */
export function isOfHeldDomain(entry: OutlineEntry, { labels = {} }: WhoisShape): boolean {
  const field = fieldOf(entry, labels);
  // When the server's own data was renewed, as .lv tells below `[Whois]`.
  if (entry.section === "whois" && field === "updated") return false;
  return !isBlank(entry.value) && field !== null && !NAMES_NO_HOLDER.has(field) && isOfRecord(entry, field);
}
