import { readIp } from "../../targets/ip.ts";
import { type SpecialPurposeName, specialPurposeOf } from "../../targets/special-purpose.ts";

/** Why lists could not be retrieved, equal causes together. */
export type Cause = {
  /** One sentence, as the lists have it. */
  readonly reason: string;
  readonly keys: readonly string[];
  /** Hosts that were asked, each once; empty where they are not told. */
  readonly hosts: readonly string[];
  /** What to check; null where only the publisher can do anything. */
  readonly check: string | null;
};

/** What a list says whose host has no address, or whose resolver does not answer. */
export const UNRESOLVED = "The host name cannot be resolved";

/** Where a host is: on this machine, in a network of the operator's own, on the internet. */
type Where = "here" | "near" | "far";

const CHECKS: readonly (readonly [pattern: RegExp, check: Readonly<Record<Where, string>>])[] = [
  [
    /^The host name cannot be resolved/,
    {
      here: "Check that dns.servers, or the hosts file of this machine, know the name",
      near: "Check that dns.servers know the name: it is one of a network of your own",
      far: "Check dns.servers, and that this machine reaches the internet",
    },
  ],
  [
    /^The connection (was (refused|closed)|timed out)|^There is no route|^No (connection|complete answer) within/,
    {
      here: "Check that its server runs on this machine, and the port in its URL",
      near: "Check that its server runs, the port in its URL, and that this machine reaches that network",
      far: "Check that this machine reaches the internet, and its firewall",
    },
  ],
  [
    /^No secure connection/,
    {
      here: "Check the certificate of its server, and that fetch.ca_file names the authority that signed it",
      near: "Check the certificate of its server, and that fetch.ca_file names the authority that signed it",
      far: "Check this machine's clock, and fetch.ca_file where a proxy opens connections",
    },
  ],
  [/^The key was not accepted/, everywhere("Check the key under engines.keys, or its REPUTE_KEY_<NAME>")],
  [/^Cannot keep the list/, everywhere("Check the space and the permissions of the data folder")],
];

function everywhere(check: string): Readonly<Record<Where, string>> {
  return { here: check, near: check, far: check };
}

/** Names of networks of one's own. Source: RFC 6762, RFC 8375, and the top level that ICANN keeps free for private use. */
const OWN_NAMES = [".local", ".lan", ".internal", ".intranet", ".home.arpa"];

const HERE: readonly SpecialPurposeName[] = ["loopback", "unspecified", "this_network"];

/** `host`: as a URL has it, with its port. */
function whereIs(host: string): Where {
  const name = new URL(`http://${host}`).hostname;
  const ip = readIp(name.startsWith("[") ? name.slice(1, -1) : name);
  if (ip !== null) {
    const special = specialPurposeOf(ip);
    if (special !== null && HERE.includes(special.name)) return "here";
    return special?.isBogon ? "near" : "far";
  }
  if (name === "localhost" || name.endsWith(".localhost")) return "here";
  return name.includes(".") && !OWN_NAMES.some((end) => name.endsWith(end)) ? "far" : "near";
}

type Failing = { readonly key: string; readonly reason: string | null; readonly host: string | null };

/** The causes of failures, those of most lists first; one reason is several where what to check differs. */
export function causesOf(rows: readonly Failing[]): readonly Cause[] {
  const failing = rows.flatMap(({ reason, ...row }) => (reason === null ? [] : [{ ...row, reason }]));
  const told = failing.map((row) => ({ ...row, check: checkOf(row) }));
  return [...Map.groupBy(told, ({ reason, check }) => `${reason}\n${check}`).values()]
    .map((group) => ({
      reason: group[0]?.reason ?? "",
      keys: group.map(({ key }) => key),
      hosts: [...new Set(group.flatMap(({ host }) => host ?? []))],
      check: group[0]?.check ?? null,
    }))
    .toSorted((a, b) => b.keys.length - a.keys.length || (a.reason < b.reason ? -1 : 1));
}

/** What to check after a failure; null where only the publisher can do anything. */
function checkOf({ reason, host }: { readonly reason: string; readonly host: string | null }): string | null {
  const checks = CHECKS.find(([pattern]) => pattern.test(reason))?.[1];
  return checks?.[host === null ? "far" : whereIs(host)] ?? null;
}
