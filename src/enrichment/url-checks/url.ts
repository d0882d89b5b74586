import { extensionOf, extensionOfFile } from "../page/links.ts";
import { readDisposition } from "../page/saved-names.ts";
import { shown, signal } from "./check.ts";
import type { UrlEvidence } from "./evidence.ts";
import { suspiciousPatternOf } from "./url-pattern.ts";

/** Programs and scripts that a system starts at a click. A `.com` or `.js` is mostly a name or a page's own script. */
const CLICKABLE = new Set(
  "exe scr pif cpl msi msix bat cmd ps1 vbs vbe jse wsf wsh hta lnk jar apk dmg pkg elf sh reg".split(" "),
);
/** Files that carry such programs, or macros, past a mail filter. */
const CARRIERS = new Set(
  "dll docm dotm xlsm xltm xlam pptm ppam xll iso img vhd vhdx one chm ace cab gadget msc".split(" "),
);

/** What a click starts that was saved; as part of a path they are scripts of pages, and names. */
const CARRIERS_SAVED = new Set(["js", "com"]);

type Ending = { readonly extension: string; readonly isSaved: boolean };

/** How what the URL leads to is called: in the URL, where its way ends, and where it is saved. A page that is shown is not. */
function endingsOf({ url, finalUrl, response, page }: UrlEvidence): readonly Ending[] {
  const { isAttachment, names } = readDisposition(response?.disposition ?? "");
  const saved = isAttachment || page === null ? names : [];
  return [
    // What gives its file a name is saved under that one.
    ...[url, finalUrl].map((one) => ({
      extension: extensionOf(one),
      isSaved: isAttachment && names.length === 0,
    })),
    ...saved.map((name) => ({ extension: extensionOfFile(name), isSaved: true })),
  ];
}

const clickableOf = (evidence: UrlEvidence): string | null =>
  endingsOf(evidence).find(({ extension }) => CLICKABLE.has(extension))?.extension ?? null;

const carrierOf = (evidence: UrlEvidence): string | null =>
  clickableOf(evidence) ??
  endingsOf(evidence).find(
    ({ extension, isSaved }) => CARRIERS.has(extension) || (isSaved && CARRIERS_SAVED.has(extension)),
  )?.extension ??
  null;

const isIpOf =
  (version: "v4" | "v6") =>
  ({ host }: UrlEvidence): boolean =>
    host.kind === "ip" && host.ip.version === version;

/** An address's own dots and colons are no style of a name. */
const nameOf = ({ host }: UrlEvidence): string => (host.kind === "ip" ? "" : host.domain.name);

const countOf = (text: string, character: string): number => text.split(character).length - 1;

/** One character before the sign is enough to find an address. */
const ADDRESS = /[a-z0-9._%+-]@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,24}\b/i;

/** Phishing mails name their receiver. */
function holdsEmailAddress({ url: { search } }: UrlEvidence): boolean {
  const text = search.replace(/%40/gi, "@");
  return text.includes("@") && ADDRESS.test(text);
}

/** Design 7.4, URL: how it is spelt, and how what it leads to is called. */
export const URL_CHECKS = [
  signal("is_host_an_ipv4", 0.2, "The host is a bare IPv4 address", isIpOf("v4")),
  signal("is_host_an_ipv6", 0.2, "The host is a bare IPv6 address", isIpOf("v6")),
  shown("is_uncommon_host_length", (evidence) => nameOf(evidence).length > 40),
  // The prefix of an A-label is no choice of its owner.
  shown(
    "is_uncommon_dash_char_count",
    (evidence) => countOf(nameOf(evidence).replaceAll("xn--", ""), "-") >= 4,
  ),
  shown("is_uncommon_dot_char_count", (evidence) => countOf(nameOf(evidence), ".") >= 5),
  signal(
    "is_suspicious_url_pattern",
    0.3,
    (evidence) => suspiciousPatternOf(evidence) ?? "",
    (evidence) => suspiciousPatternOf(evidence) !== null,
  ),
  signal(
    "is_suspicious_file_extension",
    0.15,
    (evidence) => `Leads to a file of a kind that often carries malware (.${carrierOf(evidence)})`,
    (evidence) => carrierOf(evidence) !== null,
  ),
  signal(
    "is_most_abused_tld",
    0.08,
    ({ domainFacts }) => `The TLD .${domainFacts?.tld} has a high share of abuse`,
    ({ domainFacts }) => domainFacts?.is_risky_tld === true,
  ),
  signal(
    "is_uncommon_clickable_url",
    0.2,
    (evidence) => `Leads to a program (.${clickableOf(evidence)})`,
    (evidence) => clickableOf(evidence) !== null,
  ),
  signal(
    "is_non_standard_port",
    0.1,
    ({ url }) => `Port ${url.port} is not the usual one of its scheme`,
    ({ url }) => url.port !== "",
  ),
  signal("is_email_address_on_url_query", 0.15, "Carries an e-mail address", holdsEmailAddress),
  signal(
    "has_userinfo",
    0.25,
    "Shows a user name before the host, which readers take for the host",
    ({ url }) => url.username !== "" || url.password !== "",
  ),
  shown("is_punycode_host", (evidence) =>
    nameOf(evidence)
      .split(".")
      .some((label) => label.startsWith("xn--")),
  ),
  signal(
    "is_homoglyph_host",
    0.35,
    ({ domainFacts }) => `The host looks like ${domainFacts?.homoglyph_of}`,
    ({ domainFacts }) => domainFacts?.is_homoglyph === true,
  ),
  shown("is_url_too_long", ({ url }) => url.href.length > 500),
] as const;
