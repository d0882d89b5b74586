import type { Category, Verdict } from "../engines/kind.ts";
import { countIn } from "../feeds/formats/entry-count.ts";
import type { Family } from "./families.ts";
import { roundStrength, strengthOf } from "./strength.ts";

/** What a list of the category says of its entries, after "Listed". */
const CATEGORY_PHRASES: Readonly<Record<Category, string>> = {
  hijacked: "as a hijacked network",
  c2: "as command and control",
  malware: "as malware",
  phishing: "as phishing",
  attack: "as a source of attacks",
  abuse: "for abuse",
  spam: "for spam",
  scanner: "as a scanner",
  proxy: "as an open proxy",
  tor: "as a Tor exit",
  vpn: "as a VPN exit",
  suspicious: "as suspicious",
  aggregate: "on an aggregate list",
  policy: "by policy, not for conduct",
};

/** Why a family counts, one English sentence without full stop: its strongest member, and how many say the same. */
export function familyReason(family: Family, computedAt: Date): string {
  const [verdict, ...others] = family.verdicts;
  const [signal] = family.signals;
  if (verdict === undefined) return signal?.reason ?? family.key;
  if (
    signal !== undefined &&
    roundStrength(signal.strength) > roundStrength(strengthOf(verdict, computedAt))
  ) {
    return `${signal.reason} (signal ${signal.name}, which counts more than the list)`;
  }
  const count = countIn(verdict.reason);
  const more = others.length === 0 ? "" : ` and ${others.length} more of the same source`;
  // One flat text, where a template makes a tree of texts, with which JSON.stringify takes twice as long.
  return [
    listedPhrase(verdict),
    CATEGORY_PHRASES[verdict.category],
    " by ",
    verdict.engine.name,
    levelPhrase(verdict),
    count === null ? "" : `, ${count}`,
    more,
  ].join("");
}

/** How the sentence begins: what is listed may be where the target redirects to. */
function listedPhrase({ matched }: Verdict): string {
  if (matched?.hop === undefined) return "Listed ";
  if (matched.level === "url") return "Redirects to a listed URL: listed ";
  return `Redirects to ${matched.level === "url_host" ? "the host of a listed URL" : "a listed host"}: listed `;
}

function levelPhrase({ matched }: Verdict): string {
  if (matched === null) return "";
  const redirect = matched.hop === undefined ? "" : `, redirect ${matched.hop + 1}`;
  return ` (${matchPhrase(matched)}${redirect})`;
}

function matchPhrase({ level, value }: NonNullable<Verdict["matched"]>): string {
  switch (level) {
    case "ip":
      return "exact address";
    case "network":
      return `network ${value}`;
    case "embedded_ipv4":
      return `embedded IPv4 address ${value}`;
    case "domain":
      return "exact name";
    case "registered_domain":
      return `registered domain ${value}`;
    case "url":
      return "exact URL";
    case "url_host":
      return "another URL on this host";
    case "email":
      return "exact e-mail address";
    default:
      return level satisfies never;
  }
}
