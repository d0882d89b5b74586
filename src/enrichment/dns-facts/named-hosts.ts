import { type DnsRecords, isAnswered, type LookupTime } from "./resolve.ts";

/** A name that a record leads to, with its addresses. */
export type NamedHost = {
  readonly name: string;
  /** IPv4 first. */
  readonly ips: readonly string[];
  /** False beyond the names whose addresses are asked for. */
  readonly isAsked: boolean;
  /** False where DNS was not asked or gave no answer: there may be more addresses. */
  readonly isKnown: boolean;
};

/**
 * Names of one kind whose addresses are asked for. No domain has as many mail or name servers; one made up to have
 * thousands does not cause a lookup of all of them.
 */
export const MAX_ASKED_NAMES = 50;

/** Every name once, in the order given, with the addresses of the first fifty. */
export const lookUpNamedHosts = (
  names: readonly string[],
  { dnsRecords }: { readonly dnsRecords: DnsRecords },
  time: LookupTime,
): Promise<readonly NamedHost[]> =>
  Promise.all(
    [...new Set(names)].map(async (name, i) => {
      if (i >= MAX_ASKED_NAMES) return { name, ips: [], isAsked: false, isKnown: false };
      const found = await Promise.all([
        dnsRecords.resolve(name, "A", time),
        dnsRecords.resolve(name, "AAAA", time),
      ]);
      const ips = found.flatMap(({ records }) => records.map(({ address }) => address));
      return { name, ips, isAsked: true, isKnown: found.every(isAnswered) };
    }),
  );
