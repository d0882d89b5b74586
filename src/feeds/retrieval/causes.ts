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

const NETWORK = "Check that this machine reaches the internet, and its firewall";

const CHECKS: readonly (readonly [pattern: RegExp, check: string])[] = [
  [/^The host name cannot be resolved/, "Check dns.servers, and that this machine reaches the internet"],
  [
    /^The connection (was (refused|closed)|timed out)|^There is no route|^No (connection|complete answer) within/,
    NETWORK,
  ],
  [/^No secure connection/, "Check this machine's clock, and fetch.ca_file where a proxy opens connections"],
  [/^The key was not accepted/, "Check the key under engines.keys, or its REPUTE_KEY_<NAME>"],
  [/^Cannot keep the list/, "Check the space and the permissions of the data folder"],
];

type Failing = { readonly key: string; readonly reason: string | null; readonly host: string | null };

/** The causes of failures, those of most lists first. */
export function causesOf(rows: readonly Failing[]): readonly Cause[] {
  const failing = rows.flatMap(({ reason, ...row }) => (reason === null ? [] : [{ ...row, reason }]));
  return [...Map.groupBy(failing, ({ reason }) => reason)]
    .map(([reason, group]) => ({
      reason,
      keys: group.map(({ key }) => key),
      hosts: [...new Set(group.flatMap(({ host }) => host ?? []))],
      check: checkOf(reason),
    }))
    .toSorted((a, b) => b.keys.length - a.keys.length || (a.reason < b.reason ? -1 : 1));
}

/** What to check after a failure; null where only the publisher can do anything. */
const checkOf = (reason: string): string | null =>
  CHECKS.find(([pattern]) => pattern.test(reason))?.[1] ?? null;
