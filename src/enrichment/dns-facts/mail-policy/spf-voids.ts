import { type DnsRecords, isAnswered, type LookupTime, type Resolved } from "../resolve.ts";

/** A name that a term of an SPF record looks up. */
export type LookedUpHost = { readonly kind: "address" | "mx"; readonly name: string };

/** RFC 7208, 4.6.4. */
const MAX_VOID_LOOKUPS = 2;
const MAX_MX_RECORDS = 10;

/** What the lookups of an SPF record find that makes receivers refuse it. */
export type VoidLookups = {
  readonly errors: readonly string[];
  /** Set where DNS did not answer about names that could make it too many. */
  readonly failures: readonly string[];
};

/**
 * Asks for the names that `a`, `mx` and `exists` look up. More than two terms that find nothing are an error, and so
 * are more than ten MX records of one name. A name is void when it has neither an IPv4 nor an IPv6 address, so that the
 * term finds nothing whatever address the message comes from. Source: RFC 7208, 4.6.4.
 */
export async function findVoidLookups(
  hosts: readonly LookedUpHost[],
  deps: { readonly dnsRecords: DnsRecords },
  time: LookupTime,
): Promise<VoidLookups> {
  const found = await Promise.all(hosts.map(async (host) => ({ host, ...(await lookUp(host, deps, time)) })));
  const namesOf = (state: Found["state"]) =>
    found.flatMap(({ host, state: own }) => (own === state ? [host.name] : []));
  const [voids, unknown] = [namesOf("void"), namesOf("unknown")];
  const errors = found.flatMap(({ host, mxRecords }) =>
    mxRecords > MAX_MX_RECORDS
      ? [`${host.name}: ${mxRecords} MX records, and receivers ask for ${MAX_MX_RECORDS} at most`]
      : [],
  );
  if (voids.length > MAX_VOID_LOOKUPS) {
    errors.push(`More than ${MAX_VOID_LOOKUPS} DNS lookups find nothing: ${voids.join(", ")}`);
    return { errors, failures: [] };
  }
  const mayBeTooMany = voids.length + unknown.length > MAX_VOID_LOOKUPS;
  return { errors, failures: mayBeTooMany ? [`DNS did not answer about ${unknown.join(", ")}`] : [] };
}

type Found = { readonly state: "found" | "void" | "unknown"; readonly mxRecords: number };

async function lookUp(
  { kind, name }: LookedUpHost,
  { dnsRecords }: { readonly dnsRecords: DnsRecords },
  time: LookupTime,
): Promise<Found> {
  if (kind === "mx") {
    const mx = await dnsRecords.resolve(name, "MX", time);
    return { state: stateOf(mx), mxRecords: mx.records.length };
  }
  const ipv4 = stateOf(await dnsRecords.resolve(name, "A", time));
  if (ipv4 === "found") return { state: "found", mxRecords: 0 };
  const ipv6 = stateOf(await dnsRecords.resolve(name, "AAAA", time));
  const state = ipv6 === "found" || ipv4 === "void" ? ipv6 : "unknown";
  return { state, mxRecords: 0 };
}

function stateOf(found: Resolved<"A" | "AAAA" | "MX">): Found["state"] {
  if (!isAnswered(found)) return "unknown";
  return found.records.length > 0 ? "found" : "void";
}
