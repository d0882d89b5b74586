import type { Random } from "../../base/clock.ts";
import type { Outcome } from "../../net/dns/dns-reading.ts";
import type { RecordType } from "../../net/dns/dns-types.ts";
import type { DnssecCheck, DnssecChecks } from "./dnssec.ts";
import { lookUpDmarc, type MailDomain } from "./mail-policy/dmarc.ts";
import { isNullMx, lookUpMailRecords } from "./mail-policy/mail-records.ts";
import type { Dmarc, Spf } from "./mail-policy/shapes.ts";
import { lookUpSpf } from "./mail-policy/spf.ts";
import { lookUpNamedHosts, type NamedHost } from "./named-hosts.ts";
import type { RecordOf } from "./records.ts";
import { type DnsRecords, isAnswered, type LookupTime, type Resolved } from "./resolve.ts";

/** An address that a domain stands behind. */
export type DomainHost = {
  readonly ip: string;
  readonly role: "a" | "mx" | "ns";
  /** The name that has the address. */
  readonly name: string;
};

/** How asking DNS about a domain ended. */
export const DOMAIN_DNS_STATUSES = ["ok", "nxdomain", "servfail", "timeout", "error"] as const;
type DomainDnsStatus = (typeof DOMAIN_DNS_STATUSES)[number];

/** What DNS says of a domain: the facts of design 6.1's `dns` object. Null where DNS gave no answer. */
export type DomainDns = {
  /** Of the name itself. */
  readonly status: DomainDnsStatus;
  readonly a: readonly RecordOf<"A">[];
  readonly aaaa: readonly RecordOf<"AAAA">[];
  readonly mx: readonly RecordOf<"MX">[];
  readonly ns: readonly RecordOf<"NS">[];
  readonly txt: readonly RecordOf<"TXT">[];
  readonly caa: readonly RecordOf<"CAA">[];
  readonly soa: RecordOf<"SOA"> | null;
  /** Of the name itself, or else of its registered domain, whose servers answer for a host; null where they are not known. */
  readonly nameServers: readonly string[] | null;
  readonly hosts: readonly DomainHost[];
  /** Mail and name servers that were too many to ask for their addresses. */
  readonly unaskedHostNames: number;
  /** False where the addresses of a mail or name server are not known. */
  readonly areHostsKnown: boolean;
  readonly spf: Spf;
  readonly dmarc: Dmarc;
  readonly bimiPresent: boolean | null;
  readonly mtaStsPresent: boolean | null;
  readonly tlsRptPresent: boolean | null;
  readonly nullMx: boolean | null;
  readonly wildcard: boolean | null;
  readonly dnssec: DnssecCheck;
  readonly cnameChain: readonly string[];
  /** The chain ends at a name that does not exist. */
  readonly danglingCname: boolean | null;
  /** Why DNS gave no answer about the name, as the first failed type says it; null when none failed so. */
  readonly failure: string | null;
  /** Types that failed; their arrays are empty. */
  readonly errors: ReadonlyMap<RecordType, Outcome>;
};

export type DomainDnsLookups = {
  /** Never rejects for an upstream's sake. */
  readonly gather: (domain: MailDomain, time: LookupTime) => Promise<DomainDns>;
};

type Parts = {
  readonly dnsRecords: DnsRecords;
  readonly dnssec: DnssecChecks;
  readonly random: Pick<Random, "bytes">;
};

/** Everything that design 6.1 wants of DNS, asked at once as far as it does not depend on what was answered. */
export function createDomainDns(parts: Parts): DomainDnsLookups {
  return {
    gather: async (domain, time) => {
      const [base, dmarc, mail, wildcard, dnssec] = await Promise.all([
        gatherBase(domain, parts, time),
        lookUpDmarc(domain, parts, time),
        lookUpMailRecords(domain, parts, time),
        hasWildcard(domain.name, parts, time),
        parts.dnssec.statusOf(domain.registeredDomain ?? domain.name, time),
      ]);
      const { a, aaaa, mx, ns, txt, caa, soa } = base.found;
      const all: readonly Resolved<RecordType>[] = [a, aaaa, mx, ns, txt, caa, soa];
      const address = [a, aaaa].find(({ chain }) => chain.length > 0);
      return {
        status: statusOf(all),
        a: a.records,
        aaaa: aaaa.records,
        mx: mx.records,
        ns: ns.records,
        txt: txt.records,
        caa: caa.records,
        soa: soa.records[0] ?? null,
        nameServers: base.nameServers,
        hosts: base.hosts,
        unaskedHostNames: base.unaskedHostNames,
        areHostsKnown: base.areHostsKnown,
        spf: base.spf,
        dmarc,
        bimiPresent: mail.bimi,
        mtaStsPresent: mail.mtaSts,
        tlsRptPresent: mail.tlsRpt,
        nullMx: isNullMx(mx),
        wildcard,
        dnssec,
        cnameChain: address?.chain ?? [],
        danglingCname: isDangling(address, [a, aaaa]),
        failure: all.find(({ outcome }) => outcome === "error")?.message ?? null,
        errors: new Map(all.filter((one) => !isAnswered(one)).map(({ type, outcome }) => [type, outcome])),
      };
    },
  };
}

/** Both families have one chain: whichever was followed tells, and an address of either one that something is there. */
function isDangling(
  followed: Resolved<"A" | "AAAA"> | undefined,
  families: readonly Resolved<"A" | "AAAA">[],
): boolean | null {
  if (families.some(({ outcome }) => outcome === "ok")) return false;
  if (followed === undefined) return families.some(isAnswered) ? false : null;
  return isAnswered(followed) ? followed.outcome === "nxdomain" : null;
}

async function gatherBase({ name, registeredDomain }: MailDomain, parts: Parts, time: LookupTime) {
  const resolve = <T extends RecordType>(type: T) => parts.dnsRecords.resolve(name, type, time);
  const isHost = registeredDomain !== null && registeredDomain !== name;
  const [registeredNs, a, aaaa, mx, ns, txt, caa, soa] = await Promise.all([
    isHost ? parts.dnsRecords.resolve(registeredDomain, "NS", time) : null,
    resolve("A"),
    resolve("AAAA"),
    resolve("MX"),
    resolve("NS"),
    resolve("TXT"),
    resolve("CAA"),
    resolve("SOA"),
  ]);
  const mailNames = mx.records.map(({ exchange }) => exchange).filter((exchange) => exchange !== ".");
  const nameServers = ns.records.map(({ target }) => target);
  // A host that is delegated has its own, and those of its parent say nothing of it.
  const servers = registeredNs === null || ns.records.length > 0 ? [ns] : [ns, registeredNs];
  const [spf, mailHosts, nameHosts] = await Promise.all([
    lookUpSpf({ name, found: txt }, parts, time),
    lookUpNamedHosts(mailNames, parts, time),
    lookUpNamedHosts(nameServers, parts, time),
  ]);
  const own: DomainHost[] = [...a.records, ...aaaa.records].map((record) => ({
    ip: record.address,
    role: "a",
    name: record.name,
  }));
  return {
    found: { a, aaaa, mx, ns, txt, caa, soa },
    nameServers: servers.every(isAnswered)
      ? servers.flatMap(({ records }) => records.map(({ target }) => target))
      : null,
    spf,
    hosts: [...own, ...addressesOf("mx", mailHosts), ...addressesOf("ns", nameHosts)],
    unaskedHostNames: [...mailHosts, ...nameHosts].filter(({ isAsked }) => !isAsked).length,
    areHostsKnown: [...mailHosts, ...nameHosts].every(({ isKnown }) => isKnown),
  };
}

const addressesOf = (role: "mx" | "ns", hosts: readonly NamedHost[]): DomainHost[] =>
  hosts.flatMap(({ name, ips }) => ips.map((ip) => ({ ip, role, name })));

const RANDOM_LABEL_BYTES = 10;

/** Whether a newly made random name has an address; null where DNS gave no answer. */
async function hasWildcard(
  name: string,
  { dnsRecords, random }: Pick<Parts, "dnsRecords" | "random">,
  time: LookupTime,
): Promise<boolean | null> {
  const probe = `${Buffer.from(random.bytes(RANDOM_LABEL_BYTES)).toString("hex")}.${name}`;
  const found = await Promise.all([
    dnsRecords.resolve(probe, "A", time),
    dnsRecords.resolve(probe, "AAAA", time),
  ]);
  if (found.some(({ outcome }) => outcome === "ok")) return true;
  return found.every(isAnswered) ? false : null;
}

/**
 * NXDOMAIN behind a CNAME is the target's: the name itself is there. So is one with records of any type, whatever is said
 * of the other types: many load balancers answer NXDOMAIN to all that they are not made for (RFC 4074, 4.2).
 */
function statusOf(lookups: readonly Resolved<RecordType>[]): DomainDns["status"] {
  const answered = lookups.filter(isAnswered);
  if (answered.some(({ outcome }) => outcome === "ok")) return "ok";
  if (answered.some(({ outcome, chain }) => outcome === "nxdomain" && chain.length === 0)) return "nxdomain";
  if (answered.length > 0) return "ok";
  const outcomes = lookups.map(({ outcome }) => outcome);
  if (outcomes.every((outcome) => outcome === "timeout")) return "timeout";
  return outcomes.includes("servfail") ? "servfail" : "error";
}
