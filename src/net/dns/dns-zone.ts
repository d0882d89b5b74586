import { getDomain } from "tldts";

/** The questions that are counted together. */
export type ZoneOfName = {
  /** Of which only so many are under way at once. */
  readonly share: string;
  /** Of which none is asked for a while when it is silent again and again: no wider than what one holder answers for. */
  readonly rest: string;
};

const PSL = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** Labels of the reverse names of a /16 and a /24, of a /32 and a /48 (RFC 1035 3.5, RFC 3596 2.5). */
const REVERSE_ZONES = [
  { suffix: ".in-addr.arpa", shareLabels: 4, restLabels: 5 },
  { suffix: ".ip6.arpa", shareLabels: 10, restLabels: 14 },
] as const;

/**
 * Where a question is counted: by its registered domain, private suffixes included, as their holders delegate each
 * name to servers of its own; a reverse name by its network. Takes lower case without a final dot. Source: security P22.
 */
export function zoneOfName(name: string): ZoneOfName {
  if (name.endsWith(".arpa")) {
    for (const { suffix, shareLabels, restLabels } of REVERSE_ZONES) {
      if (name.endsWith(suffix))
        return { share: lastLabels(name, shareLabels), rest: lastLabels(name, restLabels) };
    }
  }
  const zone = getDomain(name, PSL) || name;
  return { share: zone, rest: zone };
}

function lastLabels(name: string, count: number): string {
  let start = name.length + 1;
  for (let i = 0; i < count && start > 0; i++) start = name.lastIndexOf(".", start - 2) + 1;
  return name.slice(start);
}
